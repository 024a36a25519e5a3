/** Commands of batches that wait together share one transaction, and so one fsync. */

import type { CheckpointState } from '@einvoicing/runtime/audit-chain'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { ListProgress } from './prepare-lists'
import type { ReadyWrite } from './ready-write'
import type {
  ArchiveDeadLetter,
  ArchivedEvidence,
  QueuedWork,
  EvidencePart,
  SignedState,
  TimeStampEvidence,
} from '../store'

export type Command =
  | { kind: 'create'; write: ReadyWrite }
  | { kind: 'change'; seen: Pick<Invoice, 'status' | 'updatedAt'>; write: ReadyWrite }
  | { kind: 'change-together'; changes: readonly ReadyChange[] }
  | { kind: 'fold-lists' }
  | { kind: 'forget-outbox'; positions: readonly number[] }
  | WorkOutcome
  | { kind: 'take-never-sent'; organizationId: string; invoiceId: string }
  | { kind: 'take-every-never-sent' }
  | { kind: 'checkpoint-made'; state: CheckpointState }
  | { kind: 'request-evidence'; part: EvidencePart; invoices: readonly InvoiceKey[] }
  | { kind: 'advance-failed-queried'; seen: string | undefined; until: string }

export type InvoiceKey = Pick<SignedState, 'organizationId' | 'invoiceId'>

export interface ReadyChange {
  seen: Pick<Invoice, 'status' | 'updatedAt'> | undefined
  write: ReadyWrite
}

export type WorkOutcome = { work: QueuedWork } & (
  | { kind: 'finish-work'; next: EvidencePart | undefined }
  | { kind: 'keep-time-stamp'; evidence: TimeStampEvidence; evidenceDue: string | undefined }
  | { kind: 'keep-evidence'; evidence: ArchivedEvidence }
  | { kind: 'postpone-work'; attempts: number; nextAttemptAt: string }
  | ({ kind: 'bury-archive-work' } & Pick<ArchiveDeadLetter, 'attempts' | 'at' | 'error'>)
  | { kind: 'revive-archive-work' }
)

/** `gone`: the target does not exist; `more`: more is left to do. */
export type Outcome =
  | 'created'
  | 'changed'
  | 'moved'
  | 'number-taken'
  | 'taken'
  | 'not-taken'
  | 'done'
  | 'gone'
  | 'more'

export interface Batch {
  commands: Command[]
}

/** The outcomes once committed; or an error of so many commands, and whether to retry. */
export type BatchAnswer =
  | { kind: 'ready' }
  | { kind: 'preparing'; progress: ListProgress }
  | { kind: 'committed'; outcomes: Outcome[] }
  | { kind: 'failed'; commands: number; message: string; passing: boolean }
