/**
 * Changed list rows, for the threads that list. Sent before the commit, and named like
 * `list_state.sequence` after it: a thread that reads the name in a snapshot has all its changes.
 * Names are random: where this commit fails, another process may commit after the same state.
 */

import type { ListRow } from './list-row'

export interface ListChange {
  before: ListRow | undefined
  after: ListRow
}

export interface ListMessage {
  follows: number
  sequence: number
  changes: ListChange[]
}
