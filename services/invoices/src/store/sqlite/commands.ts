/**
 * What the store's thread is asked to write. Commands of one batch share one transaction, and so
 * one fsync.
 */

import type { Invoice } from '@einvoicing/proto/invoice'
import type { ListProgress } from './prepare-lists'
import type { ArchiveDeadLetter, ArchiveWork, Write } from '../store'

export type Command =
  | { kind: 'create'; write: Write }
  | { kind: 'change'; seen: Pick<Invoice, 'status' | 'updatedAt'>; write: Write }
  | { kind: 'fold-lists' }
  | { kind: 'forget-outbox'; positions: readonly number[] }
  | ArchiveOutcome
  | { kind: 'take-never-sent'; organizationId: string; invoiceId: string }
  | { kind: 'take-every-never-sent' }
  | { kind: 'advance-failed-asked'; seen: string | undefined; until: string }

/** What became of a piece of archive work. */
export type ArchiveOutcome = { work: ArchiveWork } & (
  | { kind: 'finish-archive-work' }
  | { kind: 'postpone-archive-work'; attempts: number; nextAttemptAt: string }
  | ({ kind: 'bury-archive-work' } & Pick<ArchiveDeadLetter, 'attempts' | 'at' | 'error'>)
  | { kind: 'revive-archive-work' }
)

/** What became of a command; `gone` where there was nothing to do it to, `more` where more is left. */
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

/**
 * Either every command's outcome, committed, or why none of them was and whether the same may
 * succeed later.
 */
export type BatchAnswer =
  | { kind: 'ready' }
  | { kind: 'preparing'; progress: ListProgress }
  | { kind: 'committed'; outcomes: Outcome[] }
  | { kind: 'failed'; message: string; passing: boolean }
