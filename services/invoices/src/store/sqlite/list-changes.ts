/**
 * What a commit changed in the list rows, as the writer's thread hands it to the threads that list.
 *
 * A change is sent just before its commit, numbered as `list_state.sequence` will be: who reads that
 * number in its snapshot has received every change the snapshot shows.
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
