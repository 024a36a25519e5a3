/** A mark every few hundred rows, with the number of rows to the next: an offset is added up. */

import type { ListRow } from './list-row'
import type { Counted, Detail, Narrowing, OrderedRows, Place, Slice } from './ordered-rows'
import { compareKeys, compareText, type Bound, type Range } from '../text-order'

const rowsPerMark = 256

interface Mark extends Counted {
  /** `undefined` in the first. */
  start: Bound | undefined
}

const details: readonly Detail[] = ['total', 'statuses', 'dates']

export class Marks {
  readonly place: Place
  private readonly rows: OrderedRows
  private marks: Mark[]
  private hasGrown = false
  private detail: Detail = 'total'

  constructor(rows: OrderedRows, place: Place) {
    this.rows = rows
    this.place = place
    this.marks = this.read({})
  }

  get length(): number {
    return this.marks.length
  }

  provide(detail: Detail): void {
    if (details.indexOf(detail) <= details.indexOf(this.detail)) return
    this.detail = detail
    this.marks.forEach((mark, index) => Object.assign(mark, this.measure(this.rangeAt(index))))
  }

  change(before: ListRow | undefined, after: ListRow): void {
    if (before) this.add(before, -1)
    this.add(after, 1)
  }

  refine(): void {
    if (!this.hasGrown) return
    this.hasGrown = false
    this.marks = this.marks.flatMap((mark, index) => {
      return readTotal(mark) <= 2 * rowsPerMark ? [mark] : this.read(this.rangeAt(index))
    })
  }

  count(narrowing: Narrowing): number {
    let count = 0
    for (let index = 0; index < this.marks.length; index += 1) {
      count +=
        this.countAt(index, narrowing) ??
        this.rows.count(this.place, this.rangeAt(index), narrowing)
    }
    return count
  }

  slice(narrowing: Narrowing, { descending, offset, limit }: Slice): number[] {
    const found: number[] = []
    let left = offset
    for (let step = 0; step < this.marks.length && found.length < limit; step += 1) {
      const index = descending ? this.marks.length - 1 - step : step
      const count = this.countAt(index, narrowing)
      if (count === 0) continue
      if (left > 0) {
        const skipped = count ?? this.rows.count(this.place, this.rangeAt(index), narrowing)
        if (skipped <= left) {
          left -= skipped
          continue
        }
      }
      const here = { descending, offset: left, limit: limit - found.length }
      const wanted = { range: this.rangeAt(index), narrowing, slice: here }
      found.push(...this.rows.rows(this.place, wanted))
      left = 0
    }
    return found
  }

  private read(range: Range): Mark[] {
    const marks: Mark[] = []
    for (let start: Bound | undefined = range.from; ;) {
      const rest = { from: start, to: range.to }
      const next = this.rows.boundAfter(this.place, rest, rowsPerMark)
      const here = next ? { from: start, to: next } : rest
      marks.push({ start, ...this.measure(here, next && rowsPerMark) })
      if (!next) return marks
      start = next
    }
  }

  private measure(range: Range, total?: number): Counted {
    if (this.detail !== 'total') return this.rows.measure(this.place, range, this.detail)
    return { counts: [total ?? this.rows.count(this.place, range, {})], dateMin: '', dateMax: '' }
  }

  private rangeAt(index: number): Range {
    return { from: this.marks[index]?.start, to: this.marks[index + 1]?.start }
  }

  /** `undefined` when the rows must be counted. */
  private countAt(index: number, { status, dateFrom, dateTo }: Narrowing): number | undefined {
    const { counts, dateMin, dateMax } = this.marks[index] as Mark
    const count = counts[status ?? 0] ?? 0
    if (count === 0 || (dateFrom === undefined && dateTo === undefined)) return count
    const [from, to] = [dateFrom ?? '', dateTo ?? '\uffff']
    if (dateMax < from || dateMin > to) return 0
    return dateMin >= from && dateMax <= to ? count : undefined
  }

  private add(row: ListRow, count: 1 | -1): void {
    const mark = this.marks[this.findIndex(row)] as Mark
    mark.counts[0] = readTotal(mark) + count
    if (readTotal(mark) > 2 * rowsPerMark) this.hasGrown = true
    if (this.detail === 'total') return
    mark.counts[row.status] = (mark.counts[row.status] ?? 0) + count
    if (count < 0) return
    if (mark.dateMin === '' || row.invoice_date < mark.dateMin) mark.dateMin = row.invoice_date
    if (row.invoice_date > mark.dateMax) mark.dateMax = row.invoice_date
  }

  /** The last mark at or before the row. */
  private findIndex(row: ListRow): number {
    const key = row[this.place.order.column]
    let low = 0
    let high = this.marks.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const start = this.marks[middle]?.start as Bound
      const order = compareKeys(key, start.key) || compareText(row.id, start.id)
      if (order < 0) high = middle - 1
      else low = middle
    }
    return low
  }
}

function readTotal({ counts }: Mark): number {
  return counts[0] ?? 0
}
