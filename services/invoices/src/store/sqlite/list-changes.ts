/**
 * What a commit changed in the list rows, sent to the threads that list.
 *
 * It is sent before the commit and numbered like `list_state.sequence` after it: who reads that
 * number in a snapshot has received every change the snapshot shows.
 */

import type { ListRow } from './list-row'

export interface ListChange {
  before: ListRow | undefined
  after: ListRow
}

export type ListMessage =
  | { sequence: number; changes: ListChange[] }
  /** The commit of this number failed; the next one bears it. */
  | { sequence: number; isUndone: true }
