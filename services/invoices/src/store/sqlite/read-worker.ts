/** In a thread: ordering and counting many invoices takes tens of milliseconds. */

import { workerData, type MessagePort } from 'node:worker_threads'
import type { AuditEntry, AuditPage, Invoice, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { InvoiceChange, InvoicePage, ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { Sqlite } from '@einvoicing/stores/sqlite'
import { answerReads } from '@einvoicing/stores/sqlite-read-worker'
import type { CountedStatus } from '../counts'
import { auditStatements } from './audit-entries'
import { backlogStatements } from './statistics'
import { ChangeFeed } from './change-feed'
import { listStatements } from './list-query'
import { MarkedOrders } from './marked-orders'
import { overviewStatements } from './overview'
import type { Backlogs, ChangesQuery, OrganizationOverview } from '../store'

/** What the threads answer, by name. */
export type Queries = {
  list: (
    organizationId: string,
    request: ListInvoicesRequest,
    isFolded: boolean,
  ) => InvoicePage | 'fold-first'
  listChanges: (organizationId: string, query: ChangesQuery) => InvoiceChange[]
  listAudit: (organizationId: string, request: ListAuditRequest) => AuditPage
  listAuditOfInvoice: (organizationId: string, invoiceId: string, count: number) => AuditEntry[]
  readOrganizationOverview: (organizationId: string, since: string) => OrganizationOverview
  backlogs: () => Backlogs
  countByStatus: () => Record<CountedStatus, number>
}

export interface Query<Name extends keyof Queries = keyof Queries> {
  name: Name
  args: Parameters<Queries[Name]>
}

export type QueryAnswer = ReturnType<Queries[keyof Queries]>

export interface QueryWorkerData {
  file: string
  /** From the writer's thread, while `isWanted`. */
  changes: MessagePort
  isWanted: Int32Array
}

function prepareQueries(reader: Sqlite, feed: ChangeFeed): Queries {
  const listInvoices = listStatements(reader, new MarkedOrders(reader, feed))
  const audit = auditStatements(reader)
  const changes = reader.prepare(
    `SELECT id AS invoiceId, invoice_number AS invoiceNumber, status, updated_at AS updatedAt
     FROM invoice WHERE organization_id = ? AND (updated_at, id) > (?, ?) AND updated_at <= ?
     ORDER BY updated_at, id LIMIT ?`,
  )

  return {
    ...backlogStatements(reader),
    readOrganizationOverview: overviewStatements(reader),
    listAudit: audit.page,
    listAuditOfInvoice: audit.ofInvoice,
    listChanges: (organizationId, { since, behind, count, until = '~' }) =>
      changes.all([organizationId, since, behind, until, count]) as InvoiceChange[],
    list(organizationId, request, isFolded) {
      const page = listInvoices(organizationId, request, isFolded)
      if (page === 'fold-first') return page
      const { contents, total } = page
      const invoices = contents.map((content) => ({
        ...(JSON.parse(content) as Omit<Invoice, 'lines'>),
        lines: [],
      }))
      return { invoices, total }
    },
  }
}

function answerQuery(queries: Queries, { name, args }: Query): QueryAnswer {
  const query = queries[name] as (...values: Query['args']) => QueryAnswer
  return query(...args)
}

const { file, changes, isWanted } = workerData as QueryWorkerData
answerReads(
  file,
  (reader) => {
    const queries = prepareQueries(reader, new ChangeFeed(changes, isWanted))
    return (query: Query) => answerQuery(queries, query)
  },
  () => changes.close(),
)
