/**
 * Several processes may share one store. Archive work is claimed (`leaseUntil`); events to publish
 * and undecided invoices are not. What a process that died left behind, the others take, so work
 * may be done twice: the archive keeps the first version, an event has the same id, and clearance
 * queries the platform before it sends.
 *
 * Every write is one commit, on disk before it resolves. A number is unique in its organization for
 * ever; a change applies only to the version it was computed from; organizations never see each
 * other. A store that is unavailable throws SERVICE_UNAVAILABLE and has stored nothing.
 */

import type { SignatureLevelName } from '@einvoicing/domain/signature-level'
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

import type { AuditChains } from '@einvoicing/domain/audit-chain'

export type ArchivePart = 'signed-xml' | 'final'

/** Work that is no part of archiving, so that neither waits for the other. */
export type EvidencePart = 'time-stamp' | 'evidence'

export type WorkPart = ArchivePart | EvidencePart

/** Each waits for a server of its own. */
export type Queue = 'archive' | 'time-stamps' | 'evidence'

export interface TimeStampEvidence {
  level: 'XAdES-B-T'
  /** ISO 8601. */
  timeStampedAt: string
  /** The time stamp over the signature, a TimeStampToken in DER. */
  token: Uint8Array
}

/** Whose artefact holds the time stamp, too. */
export interface ArchivedEvidence {
  level: 'XAdES-B-LT' | 'XAdES-B-LTA'
  /** ISO 8601. */
  timeStampedAt: string
  /** 0 of level LT, n the nth of level LTA. */
  artefact: number
  /** When another archive time stamp is due, ISO 8601; absent: never. */
  renewBy?: string | undefined
}

export type SignatureEvidence = TimeStampEvidence | (ArchivedEvidence & { token?: undefined })

/** An invoice that is signed, with what its signature has. */
export interface SignedState {
  organizationId: string
  invoiceId: string
  level: SignatureLevelName
  artefact?: number
  renewBy?: string
  /** Work under way for it: in the archive's queue, or one of evidence. */
  isPending: boolean
}

export interface Write {
  invoice: Invoice
  audit: AuditEntry
  /** Kept inline until archived; stored with the mark that the invoice was never sent. */
  xml?: Uint8Array | undefined
  event?: InvoiceEvent | undefined
  archive?: ArchivePart | undefined
}

/** Orders what a list returns; pass the last one to continue after it. */
export type Position = string

export interface ArchiveWork {
  position: Position
  organizationId: string
  invoiceId: string
  part: WorkPart
  attempts: number
}

/** Moments are ISO 8601. */
export interface DueWork {
  queue: Queue
  now: string
  /** Work put off beyond this comes from a clock that was set back, and is due. */
  horizon: string
  /** The organization served last; empty to begin. */
  after: string
  /** Skipped this time. */
  except: readonly string[]
  /** Being done by this process. */
  underway: readonly Position[]
  /** Other processes leave what is taken alone until then. */
  leaseUntil: string
  count: number
}

/** Failed too often; waits for an operator. */
export interface ArchiveDeadLetter extends ArchiveWork {
  /** When it was given up, ISO 8601. */
  at: string
  error: string
}

export interface OutgoingEvent {
  /** In commit order; events of one invoice may share it. */
  position: Position
  event: InvoiceEvent
}

export interface HourFigures {
  hour: string
  currency: string
  /** Without credit notes. */
  invoices: number
  creditNotes: number
  amountTtc: number
}

export interface OrganizationFigures {
  statuses: Record<InvoiceStatus, number>
  /**
   * Created in the span, by hour (`2026-05-03T09`) and currency; the amount in minor units, without
   * PENDING and CANCELLED, credit notes subtracted.
   */
  hours: HourFigures[]
  /** From signature to decision, of those decided in the span. */
  durations: { ms: number; count: number }[]
  rejections: { errorCode: string; count: number }[]
}

/** Of all processes that share the store. */
export interface Backlog {
  /** At most `backlogCountMax`. */
  count: number
  /** When the oldest was committed, ISO 8601; `undefined` without any. */
  oldest: string | undefined
}

export type Backlogs = Record<
  'outbox' | 'archive' | 'timeStamps' | 'evidence' | 'renewals' | 'archiveDeadLetters',
  Backlog
>

/** Counting stops here, so that its cost is bounded. */
export const backlogCountMax = 100_000

/** ISO 8601; excludes `after`, includes `until`. */
export interface Span {
  after: string
  until: string
}

/** Without `seen` the invoice is new. */
export interface Change {
  seen: Invoice | undefined
  write: Write
}

export interface InvoiceStore extends AuditChains {
  create(write: Write): Promise<'created' | 'number-taken'>
  /** Only if the invoice still has `seen.updatedAt` and `seen.status`. */
  change(seen: Invoice, write: Write): Promise<'changed' | 'moved' | 'number-taken'>

  /** All or none, of one organization; `moved` where any was changed since it was seen. */
  changeTogether(changes: readonly Change[]): Promise<'changed' | 'moved' | 'number-taken'>

  get(organizationId: string, invoiceId: string): Promise<Invoice | undefined>
  /** Of any organization. */
  find(invoiceId: string): Promise<Invoice | undefined>
  /** Of those that the organization has. */
  readStatuses(
    organizationId: string,
    invoiceIds: readonly string[],
  ): Promise<ReadonlyMap<string, InvoiceStatus>>
  /** Without lines. Ties are ordered by id; absent values come first when ascending. */
  list(organizationId: string, request: ListInvoicesRequest): Promise<InvoicePage>
  /** Ordered by moment, then id. */
  listChanges(organizationId: string, request: ListChangesRequest): Promise<InvoiceChange[]>
  /** From `since` (ISO 8601) until now. */
  readFigures(organizationId: string, since: string): Promise<OrganizationFigures>
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>
  /** The newest `count`, oldest first. */
  listInvoiceAudit(organizationId: string, invoiceId: string, count: number): Promise<AuditEntry[]>
  /** The inline copy; `undefined` once archived. */
  readXml(organizationId: string, invoiceId: string): Promise<Uint8Array | undefined>

  /** Takes the never-sent mark: `true` once, for one process; then it may have been sent. */
  takeNeverSent(organizationId: string, invoiceId: string): Promise<boolean>
  /** For a store restored from a backup, whose marks are out of date. */
  takeEveryNeverSent(): Promise<void>

  /** Unpublished events in commit order. */
  listOutbox(behind: Position | undefined, count: number): Promise<OutgoingEvent[]>
  forgetOutbox(positions: readonly Position[]): Promise<void>

  /**
   * SIGNED and TRANSMITTED, last changed before `before` (ISO 8601), oldest first, without lines.
   */
  listUndecided(
    before: string,
    behind: Pick<Invoice, 'updatedAt' | 'id'> | undefined,
    count: number,
  ): Promise<Invoice[]>
  /** When the oldest undecided invoice was signed or sent again, ISO 8601. */
  oldestUndecided(): Promise<string | undefined>

  /** FAILED invoices that failed in the span, oldest first, without lines. */
  listFailed(span: Span, behind: Invoice | undefined, count: number): Promise<Invoice[]>
  failedAskedUntil(): Promise<string | undefined>
  /** `false` when another process was faster. */
  advanceFailedAsked(seen: string | undefined, until: string): Promise<boolean>

  /** Due work of the first organization after `after` that has any, the longest due first. */
  takeArchiveWork(due: DueWork): Promise<ArchiveWork[]>
  /** For `signed-xml` it also drops the inline copy, and from then on a time stamp is due. */
  finishArchiveWork(work: ArchiveWork): Promise<void>
  /**
   * Ends the work. A time stamp that is there already stays. With `evidenceDue` (ISO 8601) more
   * evidence is due from then on.
   */
  keepTimeStamp(work: ArchiveWork, evidence: TimeStampEvidence, evidenceDue?: string): Promise<void>
  /** Ends the work and drops the token. Evidence of an artefact that is newer already stays. */
  keepEvidence(work: ArchiveWork, evidence: ArchivedEvidence): Promise<void>
  /** Due at once, unless work of a part is under way, or the signed XML is not archived yet. */
  requestEvidence(
    part: EvidencePart,
    invoices: readonly Pick<SignedState, 'organizationId' | 'invoiceId'>[],
  ): Promise<void>
  /** Evidence to renew by then (ISO 8601) with no work under way, the earliest first. */
  listRenewals(until: string, count: number): Promise<SignedState[]>
  /** Of every organization, by the id of the invoice. */
  listSigned(after: string | undefined, count: number): Promise<SignedState[]>
  readEvidence(organizationId: string, invoiceId: string): Promise<SignatureEvidence | undefined>
  postponeArchiveWork(
    work: ArchiveWork,
    next: { attempts: number; nextAttemptAt: string },
  ): Promise<void>
  /** Keeps the inline copy. */
  buryArchiveWork(
    work: ArchiveWork,
    letter: Pick<ArchiveDeadLetter, 'attempts' | 'at' | 'error'>,
  ): Promise<void>
  listArchiveDeadLetters(after: Position | undefined, count: number): Promise<ArchiveDeadLetter[]>
  /** Due at once with no attempts; `false` when it is no dead letter any more. */
  reviveArchiveWork(letter: ArchiveWork): Promise<boolean>

  backlogs(): Promise<Backlogs>
  /**
   * ACCEPTED is the rest of the total, so that millions cost nothing (docs/decisions/0026); it may
   * be off by what was committed between the two counts.
   */
  countByStatus(): Promise<Record<InvoiceStatus, number>>

  check(): Promise<void>
  close(): Promise<void>
}
