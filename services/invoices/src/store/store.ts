/**
 * Where invoices, their signed XML, their audit and their outgoing events rest. Adapters:
 * sqlite.ts,
 * mongo.ts. One contract: store.contract.ts.
 *
 * Several processes may share one store. Archive work is claimed for a while (`leaseUntil`), so
 * that one process at a time has it; events to publish and undecided invoices are not claimed. What
 * a process that has died left behind, the others take. Either may so be done twice, never not at
 * all, and twice is harmless: the first version in the archive counts, an event published again has
 * the same id, and anyone who takes it asks the platform before sending anything again.
 *
 * Every write is one commit, all or nothing, on disk before it resolves. What must not fail
 * quietly: a number is unique in its organization for ever; a change applies only to the very
 * version it was computed from; organizations never see each other. A store that cannot write or
 * read now throws the error SERVICE_UNAVAILABLE and has stored nothing.
 */

import type { InvoiceEvent } from '@einvoicing/events/event'
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

/** Parts of an invoice that wait to be moved to the archive. */
export type ArchivePart = 'signed-xml' | 'final'

/** One commit: the invoice as it shall be, and what goes with it. */
export interface Write {
  invoice: Invoice
  audit: AuditEntry
  /**
   * The signed document, kept inline until the archive has it. It comes with the mark that nothing
   * was ever sent of the invoice.
   */
  xml?: Uint8Array | undefined
  /** To be published after the commit. */
  fact?: InvoiceEvent | undefined
  /** To be moved to the archive after the commit. */
  archive?: ArchivePart | undefined
}

/** Orders what is handed out; pass the last one seen to continue behind it. */
export type Position = string

export interface ArchiveWork {
  position: Position
  organizationId: string
  invoiceId: string
  part: ArchivePart
  /** Those that failed. */
  attempts: number
}

/** Whose archive work is taken next. Moments are ISO 8601. */
export interface DueWork {
  now: string
  /**
   * No attempt is ever put off beyond this: work that says so comes from a clock that was set back
   * since, and is due.
   */
  horizon: string
  /** The organization that had its turn last; empty to begin. */
  after: string
  /** Organizations that have no turn now. */
  except: readonly string[]
  /** Under way in this process, and not to be taken again. */
  underway: readonly Position[]
  /** Until then other processes that share the store leave alone what is taken. */
  leaseUntil: string
  count: number
}

/** Archive work that failed too often: left alone until an operator has it tried again. */
export interface ArchiveDeadLetter extends ArchiveWork {
  /** When it was given up, ISO 8601. */
  at: string
  /** Why the last attempt failed. */
  error: string
}

export interface OutgoingEvent {
  /** As they were committed; events of one invoice may share it. */
  position: Position
  fact: InvoiceEvent
}

/** What people watch of one organization's invoices. */
export interface OrganizationFigures {
  /** Of all its invoices. */
  statuses: Record<InvoiceStatus, number>
  /**
   * Those created in the span, by hour (`2026-05-03T09`) and currency; the amount in minor units,
   * without what is PENDING or CANCELLED.
   */
  hours: { hour: string; currency: string; invoices: number; amountTtc: number }[]
  /** How many of those decided in the span took how long from their signature. */
  durations: { ms: number; count: number }[]
  /** Of those rejected in the span. */
  rejections: { errorCode: string; count: number }[]
}

/** Work that was committed and is not done yet, of all processes that share the store. */
export interface Backlog {
  /** `backlogCountMax` means that many or more. */
  count: number
  /** When the oldest of it was committed, ISO 8601; `undefined` when there is none. */
  oldest: string | undefined
}

export type Backlogs = Record<'outbox' | 'archive' | 'archiveDeadLetters', Backlog>

/** Counting stops here, so that it costs the same on the worst day. */
export const backlogCountMax = 100_000

/** Moments in ISO 8601: later than `after`, and `until` at the latest. */
export interface Span {
  after: string
  until: string
}

export interface InvoiceStore {
  create(write: Write): Promise<'created' | 'number-taken'>
  /** Applies only if the invoice still is as it was at `seen.updatedAt` with `seen.status`. */
  change(seen: Invoice, write: Write): Promise<'changed' | 'moved' | 'number-taken'>

  get(organizationId: string, invoiceId: string): Promise<Invoice | undefined>
  /** Without lines. Ties in the order are broken by id, absent values come first when ascending. */
  list(organizationId: string, request: ListInvoicesRequest): Promise<InvoicePage>
  /** As they were changed: by moment, then by id. */
  listChanges(organizationId: string, request: ListChangesRequest): Promise<InvoiceChange[]>
  /** Of the span from `since` (ISO 8601) until now. */
  figuresOf(organizationId: string, since: string): Promise<OrganizationFigures>
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>
  /** Of one invoice, oldest first: the newest `count`. */
  listAuditOf(organizationId: string, invoiceId: string, count: number): Promise<AuditEntry[]>
  /** The inline copy; `undefined` once the archive has it. */
  readXml(organizationId: string, invoiceId: string): Promise<Uint8Array | undefined>

  /**
   * Takes the mark that the invoice was never sent to the clearance platform: `true` once, for one
   * of all processes; from then on it may have been sent.
   */
  takeNeverSent(organizationId: string, invoiceId: string): Promise<boolean>
  /** Takes every such mark: in a store restored from a backup they are out of date. */
  takeEveryNeverSent(): Promise<void>

  /** Events not yet published, in the order of their commits. */
  listOutbox(behind: Position | undefined, count: number): Promise<OutgoingEvent[]>
  forgetOutbox(positions: readonly Position[]): Promise<void>

  /**
   * SIGNED and TRANSMITTED invoices last changed before `before` (ISO 8601), oldest first, without
   * lines; from the oldest, or behind the last one seen.
   */
  listUndecided(
    before: string,
    behind: Pick<Invoice, 'updatedAt' | 'id'> | undefined,
    count: number,
  ): Promise<Invoice[]>
  /**
   * When the oldest undecided invoice was signed or sent again, ISO 8601; `undefined` when none is
   * undecided.
   */
  oldestUndecided(): Promise<string | undefined>

  /**
   * FAILED invoices that failed in the span, oldest first, without lines; from its beginning, or
   * behind the last one seen.
   */
  listFailed(span: Span, behind: Invoice | undefined, count: number): Promise<Invoice[]>
  /** Up to when FAILED invoices that were due have been asked for, ISO 8601. */
  failedAskedUntil(): Promise<string | undefined>
  /** `false` when another process was faster: `seen` is no longer what it was. */
  advanceFailedAsked(seen: string | undefined, until: string): Promise<boolean>

  /**
   * Due work of one organization, the first that has any in the order of their ids after the one
   * that had its turn last; the longest due first. Empty when nothing is due for anybody.
   */
  takeArchiveWork(due: DueWork): Promise<ArchiveWork[]>
  /** The archive has it: the work is forgotten, and with `signed-xml` the inline copy dropped. */
  finishArchiveWork(work: ArchiveWork): Promise<void>
  postponeArchiveWork(
    work: ArchiveWork,
    next: { attempts: number; nextAttemptAt: string },
  ): Promise<void>
  /** Becomes a dead letter, and keeps its inline copy. */
  buryArchiveWork(
    work: ArchiveWork,
    letter: Pick<ArchiveDeadLetter, 'attempts' | 'at' | 'error'>,
  ): Promise<void>
  /** In the order in which the work was committed, after the last one seen. */
  listArchiveDeadLetters(after: Position | undefined, count: number): Promise<ArchiveDeadLetter[]>
  /**
   * Is due again, at once, as if it had never failed; `false` where it is no dead letter any more.
   */
  reviveArchiveWork(letter: ArchiveWork): Promise<boolean>

  /** For operators. */
  backlogs(): Promise<Backlogs>
  /**
   * How many invoices rest in each status, over all organizations. For operators: all but ACCEPTED
   * are counted, ACCEPTED is what remains of the total, so that millions of them cost nothing
   * (docs/decisions/0026); it may be off by what was committed between the two.
   */
  countByStatus(): Promise<Record<InvoiceStatus, number>>

  /** Throws when the store cannot answer, or cannot take a write. */
  check(): Promise<void>
  close(): Promise<void>
}
