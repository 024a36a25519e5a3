/**
 * Marks held by this thread: made when a list first needs them, advanced by the writer's changes,
 * and made again when a commit is missing up to the snapshot's.
 */

import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { ChangeFeed } from './change-feed'
import type { ListMessage } from './list-changes'
import { Marks } from './marks'
import { OrderedRows, type Detail, type Place } from './ordered-rows'

/** About 25 MB. */
const marksMax = 100_000
/** Sending changes costs creations time, so unused marks are dropped after this. */
const idleMs = 60_000

export class MarkedOrders {
  readonly rows: OrderedRows
  private readonly reader: Sqlite
  private readonly feed: ChangeFeed
  private readonly held = new Map<string, Marks>()
  private sequence = 0
  private usedAt = 0

  constructor(reader: Sqlite, feed: ChangeFeed) {
    this.reader = reader
    this.feed = feed
    this.rows = new OrderedRows(reader)
    feed.onMessage(() => {
      if (Date.now() - this.usedAt > idleMs) this.giveUp()
      else this.advance(feed.takeSettled())
    })
  }

  /** Runs `work` on one snapshot, for which all marks are exact. */
  inSnapshot<T>(work: () => T): T {
    this.advance(this.feed.takeSettled())
    this.reader.exec('BEGIN')
    try {
      const state = this.rows.prepare('SELECT sequence FROM list_state')
      const { sequence } = state.get([]) as { sequence: number }
      this.advance(this.feed.takeUpTo(sequence))
      if (this.sequence !== sequence) this.held.clear()
      this.sequence = sequence
      return work()
    } finally {
      this.reader.exec('COMMIT')
    }
  }

  /** Call it within `inSnapshot`. */
  getMarks(place: Place, detail: Detail): Marks {
    this.feed.start()
    this.usedAt = Date.now()
    const name = `${place.order.column} ${place.organization}`
    const marks = this.held.get(name) ?? new Marks(this.rows, place)
    this.held.delete(name)
    this.held.set(name, marks)
    marks.refine()
    marks.provide(detail)
    this.bound()
    return marks
  }

  private advance(sent: Extract<ListMessage, { changes: unknown }>[]): void {
    for (const { sequence, changes } of sent) {
      if (sequence <= this.sequence) continue
      if (sequence !== this.sequence + 1) this.held.clear()
      this.sequence = sequence
      if (this.held.size === 0) continue
      for (const { before, after } of changes) {
        for (const marks of this.held.values()) {
          if (marks.place.organization === after.organization) marks.change(before, after)
        }
      }
    }
  }

  /** Drops the least recently used; the last one stays. */
  private bound(): void {
    let length = 0
    for (const marks of this.held.values()) length += marks.length
    for (const [name, marks] of this.held) {
      if (length <= marksMax || this.held.size === 1) return
      length -= marks.length
      this.held.delete(name)
    }
  }

  private giveUp(): void {
    this.held.clear()
    this.feed.stop()
  }
}
