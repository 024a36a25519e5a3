/** In a thread: ordering and counting many invoices takes tens of milliseconds. */

import { workerData, type MessagePort } from 'node:worker_threads'
import type {
  AuditEntry,
  AuditPage,
  Invoice,
  InvoiceStatus,
  ListAuditRequest,
} from '@einvoicing/proto/invoice'
import type {
  InvoiceChange,
  InvoicePage,
  ListChangesRequest,
  ListInvoicesRequest,
} from '@einvoicing/proto/invoices'
import type { Sqlite } from '@einvoicing/stores/sqlite'
import { answerReads } from '@einvoicing/stores/sqlite-read-worker'
import { auditStatements } from './audit-entries'
import { figureStatements } from './statistics'
import { ChangeFeed } from './change-feed'
import { listStatements } from './list-query'
import { MarkedOrders } from './marked-orders'
import { overviewStatements } from './overview'
import type { Backlogs, OrganizationFigures } from '../store'

export type ListQuestion =
  | {
      kind: 'invoices'
      organizationId: string
      request: ListInvoicesRequest
      isFolded: boolean
    }
  | { kind: 'changes'; organizationId: string; request: ListChangesRequest }
  | { kind: 'audit'; organizationId: string; request: ListAuditRequest }
  | { kind: 'audit-of'; organizationId: string; invoiceId: string; count: number }
  | { kind: 'figures'; organizationId: string; since: string }
  | { kind: 'backlogs' }
  | { kind: 'count-by-status' }

export type ListAnswer =
  | InvoicePage
  | 'fold-first'
  | InvoiceChange[]
  | AuditPage
  | AuditEntry[]
  | OrganizationFigures
  | Backlogs
  | Record<InvoiceStatus, number>

export interface ListWorkerData {
  file: string
  /** From the writer's thread, while `isWanted`. */
  changes: MessagePort
  isWanted: Int32Array
}

function createLister(reader: Sqlite, feed: ChangeFeed): (question: ListQuestion) => ListAnswer {
  const listInvoices = listStatements(reader, new MarkedOrders(reader, feed))
  const figures = figureStatements(reader)
  const overview = overviewStatements(reader)
  const changes = reader.prepare(
    `SELECT id AS invoiceId, invoice_number AS invoiceNumber, status, updated_at AS updatedAt
     FROM invoice WHERE organization_id = ? AND (updated_at, id) > (?, ?)
     ORDER BY updated_at, id LIMIT ?`,
  )
  const audit = auditStatements(reader)

  return (question) => {
    if (question.kind === 'backlogs') return figures.backlogs()
    if (question.kind === 'count-by-status') return figures.countByStatus()
    if (question.kind === 'figures') return overview(question.organizationId, question.since)
    if (question.kind === 'changes') {
      const { since, behind, count } = question.request
      return changes.all([question.organizationId, since, behind, count]) as InvoiceChange[]
    }
    if (question.kind === 'audit') return audit.page(question.organizationId, question.request)
    if (question.kind === 'audit-of') {
      const { organizationId, invoiceId, count } = question
      return audit.ofInvoice(organizationId, invoiceId, count)
    }
    const { organizationId, request, isFolded } = question
    const page = listInvoices(organizationId, request, isFolded)
    if (page === 'fold-first') return page
    const { contents, total } = page
    const invoices = contents.map((content) => ({
      ...(JSON.parse(content) as Omit<Invoice, 'lines'>),
      lines: [],
    }))
    return { invoices, total }
  }
}

const { file, changes, isWanted } = workerData as ListWorkerData
answerReads(
  file,
  (reader) => createLister(reader, new ChangeFeed(changes, isWanted)),
  () => changes.close(),
)
