/**
 * What the store's thread is asked to write. Commands of one batch share one transaction, and so
 * one fsync.
 */

import type { Invoice } from '@einvoicing/proto/invoice'
import type { ArchiveWork, Write } from './store'

export type Command =
  | { kind: 'create'; write: Write }
  | { kind: 'change'; seen: Pick<Invoice, 'status' | 'updatedAt'>; write: Write }
  | { kind: 'forget-outbox'; positions: readonly number[] }
  | { kind: 'finish-archive-work'; work: ArchiveWork }
  | { kind: 'take-never-sent'; organizationId: string; invoiceId: string }
  | { kind: 'take-every-never-sent' }
  | { kind: 'advance-failed-asked'; seen: string | undefined; until: string }

/** What became of a command; `done` for those that cannot lose a race. */
export type Outcome =
  'created' | 'changed' | 'moved' | 'number-taken' | 'taken' | 'not-taken' | 'done'

export interface Batch {
  commands: Command[]
}

/**
 * Either every command's outcome, committed, or why none of them was and whether the same may
 * succeed later.
 */
export type BatchAnswer =
  | { kind: 'ready' }
  | { kind: 'committed'; outcomes: Outcome[] }
  | { kind: 'failed'; message: string; passing: boolean }
