/** Made for a list, updated by the writer's changes, and made again when one is missing. */

import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { ChangeFeed } from './change-feed'
import type { ListMessage } from './list-changes'
import type { ListRow } from './list-row'
import { Marks } from './marks'
import { OrderedRows, orders, type Detail, type Order, type Place } from './ordered-rows'
import type { Bound } from '../text-order'
import { SearchIndex, searchedMax } from '../search-index'

const marksMax = 100_000
/** Numbers and names of the largest that is searched by them: about 100 MB. */
const textsMax = 2 * searchedMax
/** Sending changes slows creations down, so unused marks are dropped. */
const idleMs = 10 * 60_000

export class MarkedOrders {
  readonly rows: OrderedRows
  private readonly reader: Sqlite
  private readonly feed: ChangeFeed
  private readonly held = new Map<string, Marks>()
  private readonly searches = new Map<number, SearchIndex>()
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
      if (this.sequence !== sequence) this.clear()
      this.sequence = sequence
      return work()
    } finally {
      this.reader.exec('COMMIT')
    }
  }

  /** Call it within `inSnapshot`. */
  getMarks(place: Place, detail: Detail): Marks {
    this.follow()
    const name = `${place.order.column} ${place.organization}`
    const marks = this.held.get(name) ?? new Marks(this.rows, place)
    this.held.delete(name)
    this.held.set(name, marks)
    marks.refine()
    marks.provide(detail)
    this.bound()
    return marks
  }

  /** Changes are sent from now on, so that the next snapshot's marks can be updated. */
  follow(): void {
    this.feed.start()
    this.usedAt = Date.now()
  }

  /** Call it within `inSnapshot`. */
  getSearchIndex(organization: number, count: number): SearchIndex | undefined {
    if (count > searchedMax) return undefined
    this.follow()
    const search = this.searches.get(organization) ?? readSearchIndex(this.rows, organization)
    this.searches.delete(organization)
    this.searches.set(organization, search)
    let length = 0
    for (const held of this.searches.values()) length += held.length
    for (const [other, held] of this.searches) {
      if (length <= textsMax || other === organization) break
      length -= held.length
      this.searches.delete(other)
    }
    return search
  }

  private advance(sent: readonly ListMessage[]): void {
    for (const { follows, sequence, changes } of sent) {
      if (follows !== this.sequence) continue
      this.sequence = sequence
      for (const { before, after } of changes) {
        const search = this.searches.get(after.organization)
        if (search) addTexts(search, before, after)
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
    this.clear()
    this.feed.stop()
  }

  private clear(): void {
    this.held.clear()
    this.searches.clear()
  }
}

const searched = {
  invoice_number: orders.invoiceNumber,
  buyer_name: orders.buyerName,
} as const satisfies Partial<Record<keyof ListRow, Order>>

const searchedColumns = Object.keys(searched) as (keyof typeof searched)[]
const textsAtOnce = 4_096

function readSearchIndex(rows: OrderedRows, organization: number): SearchIndex {
  const search = new SearchIndex()
  for (const column of searchedColumns) {
    const place = { organization, order: searched[column] }
    for (let from: Bound | undefined; ;) {
      const to = rows.boundAfter(place, { from }, textsAtOnce)
      const found = rows.texts(place, { from, to })
      found.texts.forEach((text, index) => {
        if (text !== '') search.add(found.rows[index] as number, text)
      })
      if (!to) break
      from = to
    }
  }
  return search
}

function addTexts(search: SearchIndex, before: ListRow | undefined, after: ListRow): void {
  for (const column of searchedColumns) {
    const text = after[column]
    if (text !== '' && text !== before?.[column]) search.add(after.row, text)
  }
}
