/** Separate threads write and list. Reads see every write that resolved before. */

import Database from 'libsql'
import { needsLonger } from '@einvoicing/domain/api-error'
import { within } from '@einvoicing/runtime/deadline'
import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import { auditChainReads } from '@einvoicing/stores/sqlite-audit-chain'
import type { Log } from '@einvoicing/runtime/log'
import type { Fail } from '@einvoicing/runtime/serve'
import type { AuditPage, ListAuditRequest } from '@einvoicing/proto/invoice'
import { queuedWorkReads } from './queued-work'
import type { Command, Outcome } from './commands'
import { evidenceReads } from './evidence'
import { invoiceReads } from './invoice-reads'
import { ListFolding } from './list-folding'
import { mayReadAllRows } from './list-query'
import { outboxReads } from './outbox'
import { openQueryThread, type QueryThread } from './read-worker-client'
import { makeReady } from './ready-write'
import { undecidedReads } from './undecided'
import { SqliteThread } from './write-worker-client'
import type { InvoiceStore } from '../store'

// Before the caller's own deadline, after which no message arrives. A read that has not begun by
// then had to wait for others, and is short of a turn.
const filteredAuditMs = { turn: 7_000, read: 8_000 } as const

/** Throws for a file that cannot be opened or has a newer version. `fail`: only a restart helps. */
export async function openSqliteStore(file: string, fail: Fail, log?: Log): Promise<InvoiceStore> {
  const writer = await SqliteThread.open(file, fail, log)
  const folding = new ListFolding(writer)
  const reader = new Database(file)
  reader.pragma('query_only = ON')
  const openThread = () => openQueryThread(file, { writer, folding, fail })
  const quick = openThread()
  let slowThread: QueryThread | undefined
  const slow = () => (slowThread ??= openThread())
  return {
    ...quick,
    ...slowReads(quick, slow),
    ...writes(writer, folding),
    ...invoiceReads(reader),
    ...queuedWorkReads(reader),
    ...outboxReads(reader),
    ...undecidedReads(reader),
    ...evidenceReads(reader),
    ...auditChainReads(reader, read),
    async check() {
      writer.check()
      quick.check()
      slowThread?.check()
      await checkReader(reader)
    },
    async close() {
      folding.close()
      await writer.close()
      await quick.close()
      await slowThread?.close()
      reader.close()
    },
  }
}

type SlowReads = Pick<InvoiceStore, 'list' | 'listAudit' | 'readOrganizationOverview'>

/** Starts the second reading thread on the first use. */
function slowReads(quick: QueryThread, slow: () => QueryThread): SlowReads {
  return {
    list: (organizationId, request) =>
      (mayReadAllRows(request) ? slow() : quick).list(organizationId, request),
    listAudit: (organizationId, request) =>
      isFiltered(request)
        ? listFilteredAudit(slow(), organizationId, request)
        : quick.listAudit(organizationId, request),
    readOrganizationOverview: (organizationId, since) =>
      slow().readOrganizationOverview(organizationId, since),
  }
}

function listFilteredAudit(
  slow: QueryThread,
  organizationId: string,
  request: ListAuditRequest,
): Promise<AuditPage> {
  const { turn, read } = filteredAuditMs
  const page = slow.listAudit(organizationId, request, AbortSignal.timeout(turn))
  return within(read, page, () => needsLonger('The audit log', new Error(`no page in ${read} ms`)))
}

function isFiltered({
  page: _page,
  size: _size,
  skip: _skip,
  momentsOnly: _moments,
  uncounted: _uncounted,
  ...filters
}: ListAuditRequest): boolean {
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
