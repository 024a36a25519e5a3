/**
 * Several processes may share a store. Queued work is leased, but for archive work that a process
 * wrote itself, because archiving twice is harmless; events and undecided invoices are not, so they
 * may be published twice. Each write is one commit, on disk before it resolves; a change applies
 * only to the version it was computed from. An unavailable store throws SERVICE_UNAVAILABLE; its
 * message says when a write may have been stored.
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

import type { AuditChains } from '@einvoicing/runtime/audit-chain'
import type { CountedStatus } from './counts'

export type ArchivePart = 'signed-xml' | 'final'

/** Not a part of archiving, so that neither waits for the other. */
export type EvidencePart = 'time-stamp' | 'evidence'

export type WorkPart = ArchivePart | EvidencePart

/** Each waits for a server of its own. */
export type Queue = 'archive' | 'time-stamps' | 'evidence'

export const queueByPart = {
  'signed-xml': 'archive',
  final: 'archive',
  'time-stamp': 'time-stamps',
  evidence: 'evidence',
} as const satisfies Record<WorkPart, Queue>

export interface TimeStampEvidence {
  level: 'XAdES-B-T'
  timeStampedAt: string
  /** Over the signature, a TimeStampToken in DER. */
  token: Uint8Array
}

export interface ArchivedEvidence {
  level: 'XAdES-B-LT' | 'XAdES-B-LTA'
  timeStampedAt: string
  /** 0 of level LT, n the nth of level LTA. */
  artefact: number
  /** When the next archive time stamp is due; absent: never. */
  renewBy?: string | undefined
}

export type SignatureEvidence = TimeStampEvidence | (ArchivedEvidence & { token?: undefined })

export interface SignedState {
  organizationId: string
  invoiceId: string
  level: SignatureLevelName
  artefact?: number
  renewBy?: string
  /** Queued for the archive or for evidence. */
  isPending: boolean
}

export interface Write {
  invoice: Invoice
  /** Of an invoice read without lines, which may take 2 MiB: a change leaves the stored ones. */
  keepsLines?: true | undefined
  audit: AuditEntry
  laterAudit?: readonly AuditEntry[] | undefined
  /** Until archived; stored with the mark that the invoice was never sent. */
  xml?: Uint8Array | undefined
  event?: InvoiceEvent | undefined
  /** Due at once. */
  work?: WorkPart | undefined
}

/** Pass the last one of a page to get the next page. */
export type Position = string

export interface QueuedWork {
  position: Position
  organizationId: string
  invoiceId: string
  part: WorkPart
  attempts: number
}

/** Times are ISO 8601. */
export interface DueWork {
  queue: Queue
  now: string
  /** When given, work beyond it is due last: it comes from a clock that was set back. */
  horizon?: string
  /** The organization served last; empty to begin. */
  after: string
  except: readonly string[]
  /** Being done by this process. */
  underway: readonly Position[]
  /** Other processes do not take it until then. */
  leaseUntil: string
  count: number
}

/** Failed too often; waits for an operator. */
export interface ArchiveDeadLetter extends QueuedWork {
  at: string
  error: string
}

export interface OutgoingEvent {
  /** In commit order; events of one invoice may share it. */
  position: Position
  event: InvoiceEvent
}

export interface HourTotals {
  hour: string
  currency: string
  /** Without credit notes. */
  invoices: number
  creditNotes: number
  amountTtc: number
}

export interface OrganizationOverview {
  statuses: Record<InvoiceStatus, number>
  /** By hour (`2026-05-03T09`) and currency, without PENDING and CANCELLED, less credit notes. */
  hours: HourTotals[]
  /** From signature to decision, of those decided in the span. */
  durations: { ms: number; count: number }[]
  rejections: { errorCode: string; count: number }[]
}

/** Of all processes that share the store. */
export interface Backlog {
  /** At most `backlogCountMax`. */
  count: number
  /** `undefined` without any. */
  oldest: string | undefined
}

export type Backlogs = Record<
  'outbox' | 'archive' | 'timeStamps' | 'evidence' | 'renewals' | 'archiveDeadLetters',
  Backlog
>

/** Counting stops here, so that its cost is bounded. */
export const backlogCountMax = 100_000

/** Excludes `after`, includes `until`. */
export interface Span {
  after: string
  until: string
}

/** Without `seen` the invoice is new. */
export interface Change {
  seen: Invoice | undefined
  write: Write
}

export type InvoiceSummary = Pick<Invoice, 'invoiceNumber' | 'status'>

export type ChangesQuery = Omit<ListChangesRequest, 'aheadMs'> & { until?: string | undefined }

export interface InvoiceStore extends AuditChains {
  create(write: Write): Promise<'created' | 'number-taken'>
  /** Only if the invoice still has `seen.updatedAt` and `seen.status`. */
  change(seen: Invoice, write: Write): Promise<'changed' | 'moved' | 'number-taken'>

  /** All or none, of one organization; `moved` when one was changed since it was seen. */
  changeTogether(changes: readonly Change[]): Promise<'changed' | 'moved' | 'number-taken'>

  get(organizationId: string, invoiceId: string): Promise<Invoice | undefined>
  /** Nor with its signature level. Lines take up to 2 MiB. */
  getWithoutLines(organizationId: string, invoiceId: string): Promise<Invoice | undefined>
  /** Of any organization. */
  find(invoiceId: string): Promise<Invoice | undefined>
  readSummaries(
    organizationId: string,
    invoiceIds: readonly string[],
  ): Promise<ReadonlyMap<string, InvoiceSummary>>
  /** Without lines. Ties are ordered by id; absent values come first when ascending. */
  list(organizationId: string, request: ListInvoicesRequest): Promise<InvoicePage>
  /** Ordered by time, then id. */
  listChanges(organizationId: string, query: ChangesQuery): Promise<InvoiceChange[]>
  readOrganizationOverview(organizationId: string, since: string): Promise<OrganizationOverview>
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>
  /** The newest `count`, oldest first. */
  listAuditOfInvoice(
    organizationId: string,
    invoiceId: string,
    count: number,
  ): Promise<AuditEntry[]>
  /** `undefined` once archived. */
  readXml(organizationId: string, invoiceId: string): Promise<Uint8Array | undefined>

  /** True once, for one process; afterwards the invoice may have been sent. */
  takeNeverSent(organizationId: string, invoiceId: string): Promise<boolean>
  /** After a restore from a backup, whose marks are out of date. */
  takeEveryNeverSent(): Promise<void>

  /** In commit order. */
  listOutbox(after: Position | undefined, count: number): Promise<OutgoingEvent[]>
  forgetOutbox(positions: readonly Position[]): Promise<void>

  /** SIGNED and TRANSMITTED, changed before `before`, oldest first, without lines. */
  listUndecided(
    before: string,
    after: Pick<Invoice, 'updatedAt' | 'id'> | undefined,
    count: number,
  ): Promise<Invoice[]>
  /** When it was signed or sent again. */
  oldestUndecided(): Promise<string | undefined>

  /** Failed in the span, oldest first, without lines. */
  listFailed(span: Span, after: Invoice | undefined, count: number): Promise<Invoice[]>
  failedQueriedUntil(): Promise<string | undefined>
  /** False when another process was faster. */
  advanceFailedQueried(seen: string | undefined, until: string): Promise<boolean>

  /** Of the first organization after `after` with due work, the longest due first. */
  takeWork(due: DueWork): Promise<QueuedWork[]>
  /** Makes `next` due; for `signed-xml` a time stamp, and drops the inline copy. */
  finishWork(work: QueuedWork, next?: EvidencePart): Promise<void>
  /** Ends the work; keeps an existing time stamp. More evidence is due at `evidenceDue`. */
  keepTimeStamp(work: QueuedWork, evidence: TimeStampEvidence, evidenceDue?: string): Promise<void>
  /** Ends the work and drops the token; keeps evidence of a newer artefact. */
  keepEvidence(work: QueuedWork, evidence: ArchivedEvidence): Promise<void>
  /** Due at once, unless work is queued, or the signed XML is not archived yet. */
  requestEvidence(
    part: EvidencePart,
    invoices: readonly Pick<SignedState, 'organizationId' | 'invoiceId'>[],
  ): Promise<void>
  /** To be renewed by then and not queued, the earliest first. */
  listRenewals(until: string, count: number): Promise<SignedState[]>
  /** Of every organization, by the id of the invoice. */
  listSigned(after: string | undefined, count: number): Promise<SignedState[]>
  readEvidence(organizationId: string, invoiceId: string): Promise<SignatureEvidence | undefined>
  postponeWork(work: QueuedWork, next: { attempts: number; nextAttemptAt: string }): Promise<void>
  /** Keeps the inline copy. */
  buryArchiveWork(
    work: QueuedWork,
    letter: Pick<ArchiveDeadLetter, 'attempts' | 'at' | 'error'>,
  ): Promise<void>
  listArchiveDeadLetters(after: Position | undefined, count: number): Promise<ArchiveDeadLetter[]>
  /** Due at once, without attempts; false when it is no longer a dead letter. */
  reviveArchiveWork(letter: QueuedWork): Promise<boolean>

  backlogs(): Promise<Backlogs>
  /** ACCEPTED is the rest of the total, so it can be off by concurrent commits. */
  countByStatus(): Promise<Record<CountedStatus, number>>

  check(): Promise<void>
  close(): Promise<void>
}
