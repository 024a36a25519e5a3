/** A mark every few hundred rows, with the number of rows to the next: an offset is added up. */

import { compareKeys, compareText, type Bound, type Range } from '../text-order'
import { readKey, type CountedChange, type CountedRow } from './counted-row'
import type { ListSnapshot } from './list-snapshot'
import { readBounds, type Place } from './list-orders'

const rowsPerMark = 500
const rowsPerMarkMax = 4 * rowsPerMark

interface Mark {
  /** `undefined` in the first. */
  start: Bound | undefined
  count: number
}

export interface Located {
  range: Range
  /** Rows of the range before the one located, and all of them. */
  before: number
  count: number
}

export class Marks {
  readonly place: Place
  private marks: Mark[] = [{ start: undefined, count: 0 }]

  private constructor(place: Place) {
    this.place = place
  }

  /** `uncounted` is in the snapshot, and must not be in the marks. */
  static async read(
    snapshot: ListSnapshot,
    place: Place,
    uncounted: readonly CountedChange[],
  ): Promise<Marks> {
    const marks = new Marks(place)
    await marks.readAgain(snapshot, 0, uncounted)
    return marks
  }

  get length(): number {
    return this.marks.length
  }

  change({ id, before, after }: CountedChange, sign: 1 | -1 = 1): void {
    if (before) this.add({ id, row: before }, -sign)
    this.add({ id, row: after }, sign)
  }

  async refine(snapshot: ListSnapshot, uncounted: readonly CountedChange[]): Promise<void> {
    for (let index = this.marks.length - 1; index >= 0; index -= 1) {
      const { count } = this.marks[index] as Mark
      if (count > rowsPerMarkMax) await this.readAgain(snapshot, index, uncounted)
    }
  }

  /** In ascending order. */
  locate(position: number): Located {
    let before = position
    let index = 0
    for (; index < this.marks.length - 1; index += 1) {
      const { count } = this.marks[index] as Mark
      if (count > before) break
      before -= count
    }
    return { range: this.rangeAt(index), before, count: (this.marks[index] as Mark).count }
  }

  /** The rows before the mark that a bound is after, and the rest of that mark up to the bound. */
  rank(bound: Bound): { before: number; rest: Range | undefined } {
    const index = this.findIndex(bound)
    const before = this.marks.slice(0, index).reduce((sum, { count }) => sum + count, 0)
    const from = this.marks[index]?.start
    const isMark = from !== undefined && compareBounds(from, bound) === 0
    return { before, rest: isMark ? undefined : { from, to: bound } }
  }

  /** Makes a mark at a range's end, `before` rows after its beginning. */
  split({ from, to }: Range, before: number): void {
    if (!to) return
    const index = this.findIndex(to)
    const { start, count } = this.marks[index] as Mark
    if (start !== from) return
    this.marks.splice(index, 1, { start, count: before }, { start: to, count: count - before })
  }

  private async readAgain(
    snapshot: ListSnapshot,
    index: number,
    uncounted: readonly CountedChange[],
  ): Promise<void> {
    const fresh = await readMarks(snapshot, this.place, this.rangeAt(index))
    this.marks.splice(index, 1, ...fresh)
    const last = index + fresh.length - 1
    const isFresh = (at: number) => at >= index && at <= last
    for (const { id, before, after } of uncounted) {
      this.add({ id, row: after }, -1, isFresh)
      if (before) this.add({ id, row: before }, 1, isFresh)
    }
  }

  private add(
    { id, row }: { id: string; row: CountedRow },
    count: number,
    isIncluded: (index: number) => boolean = () => true,
  ): void {
    const { by, status } = this.place
    if (status !== undefined && status !== row.status) return
    const index = this.findIndex({ key: readKey(row, by), id })
    if (isIncluded(index)) (this.marks[index] as Mark).count += count
  }

  private rangeAt(index: number): Range {
    return { from: this.marks[index]?.start, to: this.marks[index + 1]?.start }
  }

  /** The last mark at or before the bound. */
  private findIndex(bound: Bound): number {
    let low = 0
    let high = this.marks.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const start = this.marks[middle]?.start as Bound
      if (compareBounds(bound, start) < 0) high = middle - 1
      else low = middle
    }
    return low
  }
}

function compareBounds(one: Bound, other: Bound): number {
  return compareKeys(one.key, other.key) || compareText(one.id, other.id)
}

async function readMarks(snapshot: ListSnapshot, place: Place, range: Range): Promise<Mark[]> {
  const marks: Mark[] = []
  for (let start = range.from; ;) {
    const rest = { from: start, to: range.to }
    const next = await boundAfter(snapshot, place, rest)
    marks.push({ start, count: next ? rowsPerMark : await countFew(snapshot, place, rest) })
    if (!next) return marks
    start = next
  }
}

async function boundAfter(
  snapshot: ListSnapshot,
  place: Place,
  range: Range,
): Promise<Bound | undefined> {
  const [found] = await readBounds(snapshot, place, { range, skip: rowsPerMark, limit: 1 })
  return found
}

export async function countFew(
  snapshot: ListSnapshot,
  place: Place,
  range: Range,
): Promise<number> {
  const keys = await readBounds(snapshot, place, { range, skip: 0, limit: 0 })
  return keys.length
}
