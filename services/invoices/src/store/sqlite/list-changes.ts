/**
 * Changed list rows, for the threads that list. Sent before the commit and numbered like
 * `list_state.sequence` after it: a thread that reads the number in a snapshot has all its changes.
 */

import type { ListRow } from './list-row'

export interface ListChange {
  before: ListRow | undefined
  after: ListRow
}

export type ListMessage =
  | { sequence: number; changes: ListChange[] }
  /** The commit of this number failed; the next one gets it. */
  | { sequence: number; isUndone: true }
