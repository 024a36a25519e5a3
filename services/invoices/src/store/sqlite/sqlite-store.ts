/** Separate threads write and list. Reads see every write that resolved before. */

import Database from 'libsql'
import { needsLonger } from '@einvoicing/domain/api-error'
import { within } from '@einvoicing/runtime/deadline'
import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import { auditChainReads } from '@einvoicing/stores/sqlite-audit-chain'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Log } from '@einvoicing/runtime/log'
import type { Fail } from '@einvoicing/runtime/serve'
import type { AuditPage, Invoice, InvoiceLine, ListAuditRequest } from '@einvoicing/proto/invoice'
import { queuedWorkReads } from './queued-work'
import type { Command, Outcome } from './commands'
import { evidenceReads } from './evidence'
import { ListFolding } from './list-folding'
import { mayReadAllRows } from './list-query'
import { openListThread, type ListThread } from './read-worker-client'
import { makeReady } from './ready-write'
import { SqliteThread } from './write-worker-client'
import type { InvoiceStore, InvoiceSummary, OutgoingEvent, Position } from '../store'

// Before the caller's own deadline, after which no message arrives. A read that has not begun by
// then had to wait for others, and is short of a turn.
const filteredAuditMs = { turn: 7_000, read: 8_000 } as const

interface InvoiceRow {
  content: string
  lines?: string
  level?: string | null
  timeStampedAt?: string | null
}

/** Throws for a file that cannot be opened or has a newer version. `fail`: only a restart helps. */
export async function openSqliteStore(file: string, fail: Fail, log?: Log): Promise<InvoiceStore> {
  const writer = await SqliteThread.open(file, fail, log)
  const folding = new ListFolding(writer)
  const reader = new Database(file)
  reader.pragma('query_only = ON')
  const openLists = () => openListThread(file, { writer, folding, fail })
  const lists = openLists()
  let reporter: ListThread | undefined
  const reports = () => (reporter ??= openLists())
  return {
    ...lists,
    ...slowReads(lists, reports),
    ...writes(writer, folding),
    ...invoiceReads(reader),
    ...queuedWorkReads(reader),
    ...workReads(reader),
    ...evidenceReads(reader),
    ...auditChainReads(reader),
    async check() {
      writer.check()
      lists.check()
      reporter?.check()
      await checkReader(reader)
    },
    async close() {
      folding.close()
      await writer.close()
      await lists.close()
      await reporter?.close()
      reader.close()
    },
  }
}

type SlowReads = Pick<InvoiceStore, 'list' | 'listAudit' | 'readFigures'>

/** Starts the second reading thread on the first use. */
function slowReads(lists: ListThread, reports: () => ListThread): SlowReads {
  return {
    list: (organizationId, request) =>
      (mayReadAllRows(request) ? reports() : lists).list(organizationId, request),
    listAudit: (organizationId, request) =>
      isFiltered(request)
        ? listFilteredAudit(reports(), organizationId, request)
        : lists.listAudit(organizationId, request),
    readFigures: (organizationId, since) => reports().readFigures(organizationId, since),
  }
}

function listFilteredAudit(
  reports: ListThread,
  organizationId: string,
  request: ListAuditRequest,
): Promise<AuditPage> {
  const { turn, read } = filteredAuditMs
  const page = reports.listAudit(organizationId, request, AbortSignal.timeout(turn))
  return within(read, page, () => needsLonger('The audit log', new Error(`no page in ${read} ms`)))
}

function isFiltered({ page: _page, size: _size, ...filters }: ListAuditRequest): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}

type Writes = Pick<
  InvoiceStore,
  | 'create'
  | 'change'
  | 'changeTogether'
  | 'takeNeverSent'
  | 'takeEveryNeverSent'
  | 'advanceFailedQueried'
  | 'forgetOutbox'
  | 'finishWork'
  | 'keepTimeStamp'
  | 'keepEvidence'
  | 'requestEvidence'
  | 'postponeWork'
  | 'buryArchiveWork'
  | 'reviveArchiveWork'
  | 'writeCheckpointState'
>

function writes(writer: SqliteThread, folding: ListFolding): Writes {
  const writeInvoice = async (command: Command): Promise<Outcome> => {
    const outcome = await writer.write(command)
    folding.noteWrite()
    return outcome
  }
  return {
    create: (write) =>
      writeInvoice({ kind: 'create', write: makeReady(write) }) as Promise<
        'created' | 'number-taken'
      >,
    change: ({ status, updatedAt }, write) =>
      writeInvoice({
        kind: 'change',
        seen: { status, updatedAt },
        write: makeReady(write),
      }) as Promise<'changed' | 'moved' | 'number-taken'>,
    changeTogether: (changes) =>
      writeInvoice({
        kind: 'change-together',
        changes: changes.map(({ seen, write }) => ({
          seen: seen && { status: seen.status, updatedAt: seen.updatedAt },
          write: makeReady(write),
        })),
      }) as Promise<'changed' | 'moved' | 'number-taken'>,
    async takeNeverSent(organizationId, invoiceId) {
      const command = { kind: 'take-never-sent', organizationId, invoiceId } as const
      return (await writer.write(command)) === 'taken'
    },
    async takeEveryNeverSent() {
      await writer.write({ kind: 'take-every-never-sent' })
    },
    async advanceFailedQueried(seen, until) {
      return (await writer.write({ kind: 'advance-failed-queried', seen, until })) === 'taken'
    },
    async forgetOutbox(positions) {
      await writer.write({ kind: 'forget-outbox', positions: positions.map(Number) })
    },
    async finishWork(work, next) {
      await writer.write({ kind: 'finish-work', work, next })
    },
    async keepTimeStamp(work, evidence, evidenceDue) {
      await writer.write({ kind: 'keep-time-stamp', work, evidence, evidenceDue })
    },
    async keepEvidence(work, evidence) {
      await writer.write({ kind: 'keep-evidence', work, evidence })
    },
    async requestEvidence(part, invoices) {
      await writer.write({ kind: 'request-evidence', part, invoices })
    },
    async postponeWork(work, { attempts, nextAttemptAt }) {
      await writer.write({ kind: 'postpone-work', work, attempts, nextAttemptAt })
    },
    async buryArchiveWork(work, { attempts, at, error }) {
      await writer.write({ kind: 'bury-archive-work', work, attempts, at, error })
    },
    async writeCheckpointState(state) {
      await writer.write({ kind: 'checkpoint-made', state })
    },
    reviveArchiveWork: async (work) =>
      (await writer.write({ kind: 'revive-archive-work', work })) === 'done',
  }
}

function read<T>(work: () => T): Promise<T> {
  return orUnavailable('The invoice store', work)
}

function checkReader(reader: Sqlite): Promise<void> {
  return read(() => void reader.prepare('SELECT 1 FROM invoice LIMIT 1').get([]))
}

type InvoiceReads = Pick<
  InvoiceStore,
  'get' | 'getWithoutLines' | 'find' | 'readSummaries' | 'readXml'
>

function invoiceReads(reader: Sqlite): InvoiceReads {
  const select = `
    SELECT content, lines, level, time_stamped_at AS timeStampedAt
    FROM invoice LEFT JOIN evidence ON evidence.invoice_id = id WHERE id = ?`
  const byId = reader.prepare(`${select} AND invoice.organization_id = ?`)
  const lineless = reader.prepare(
    'SELECT content FROM invoice WHERE id = ? AND organization_id = ?',
  )
  const ofAny = reader.prepare(select)
  const xmlById = reader.prepare(
    'SELECT xml FROM signed_xml WHERE invoice_id = ? AND organization_id = ?',
  )
  const summaries = reader.prepare(
    `SELECT id, invoice_number AS invoiceNumber, status FROM invoice
     WHERE organization_id = ? AND id IN (SELECT value FROM json_each(?))`,
  )

  return {
    readSummaries: (organizationId, invoiceIds) =>
      read(() => {
        const rows = summaries.all([organizationId, JSON.stringify(invoiceIds)])
        return new Map(
          (rows as (InvoiceSummary & { id: string })[]).map(({ id, ...summary }) => [id, summary]),
        )
      }),
    get: (organizationId, invoiceId) =>
      read(() => {
        const row = byId.get([invoiceId, organizationId]) as InvoiceRow | undefined
        return row && toInvoice(row)
      }),
    getWithoutLines: (organizationId, invoiceId) =>
      read(() => {
        const row = lineless.get([invoiceId, organizationId]) as InvoiceRow | undefined
        return row && toInvoice(row)
      }),
    find: (invoiceId) =>
      read(() => {
        const row = ofAny.get([invoiceId]) as InvoiceRow | undefined
        return row && toInvoice(row)
      }),
    readXml: (organizationId, invoiceId) =>
      read(() => {
        const row = xmlById.get([invoiceId, organizationId]) as { xml: Buffer } | undefined
        return row?.xml
      }),
  }
}

type WorkReads = Pick<
  InvoiceStore,
  'listOutbox' | 'listUndecided' | 'oldestUndecided' | 'listFailed' | 'failedQueriedUntil'
>

function workReads(reader: Sqlite): WorkReads {
  const outbox = reader.prepare(
    'SELECT position, fact AS event FROM outbox WHERE position > ? ORDER BY position LIMIT ?',
  )
  const undecided = reader.prepare(
    `SELECT content FROM invoice
     WHERE status IN ('SIGNED', 'TRANSMITTED') AND updated_at < ? AND (updated_at, id) > (?, ?)
     ORDER BY updated_at, id LIMIT ?`,
  )
  const failed = reader.prepare(
    `SELECT content FROM invoice
     WHERE status = 'FAILED' AND updated_at > ? AND updated_at <= ? AND (updated_at, id) > (?, ?)
     ORDER BY updated_at, id LIMIT ?`,
  )
  const failedQueried = reader.prepare(`SELECT value FROM progress WHERE name = 'failed-asked'`)
  const oldest = reader.prepare(
    `SELECT min(clearance_started_at) AS started FROM invoice WHERE status IN ('SIGNED', 'TRANSMITTED')`,
  )

  return {
    async listOutbox(after, count) {
      const rows = outbox.all([toRowId(after), count]) as { position: number; event: string }[]
      return rows.map(({ position, event }): OutgoingEvent => {
        return { position: String(position), event: JSON.parse(event) as InvoiceEvent }
      })
    },
    async listUndecided(before, after, count) {
      const cursor = [after?.updatedAt ?? '', after?.id ?? '']
      const rows = undecided.all([before, ...cursor, count]) as InvoiceRow[]
      return rows.map(toInvoice)
    },
    async listFailed(span, after, count) {
      const cursor = [after?.updatedAt ?? '', after?.id ?? '']
      return (failed.all([span.after, span.until, ...cursor, count]) as InvoiceRow[]).map(toInvoice)
    },
    async failedQueriedUntil() {
      return (failedQueried.get([]) as { value: string } | undefined)?.value
    },
    async oldestUndecided() {
      const { started } = oldest.get([]) as { started: string | null }
      return started ?? undefined
    },
  }
}

function toRowId(position: Position | undefined): number {
  return Number(position ?? 0)
}

function toInvoice({ content, lines = '[]', level, timeStampedAt }: InvoiceRow): Invoice {
  return Object.assign(
    JSON.parse(content) as Omit<Invoice, 'lines'>,
    { lines: JSON.parse(lines) as InvoiceLine[] },
    level && timeStampedAt && { signatureLevel: level, timeStampedAt },
  )
}
