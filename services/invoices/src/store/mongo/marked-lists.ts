/** Marks of the orders listed in this process, updated by stored changes. */

import { unavailable } from '@einvoicing/domain/api-error'
import type { Mongo } from '@einvoicing/stores/mongo'
import { inTurn } from '../../in-turn'
import { addUncounted, inSnapshot, type ListSnapshot, type StatusCounts } from './list-snapshot'
import { Marks } from './marks'
import type { CountedChange } from './counted-row'
import type { Place } from './list-orders'
import { SearchTexts } from './search-texts'

/** Of all organizations; about 20 MB. */
const marksMax = 100_000
/** So many texts need the memory of one mark. */
const textsPerMark = 20
/** Of one organization; as many wait for a reading thread of SQLite. */
const viewsMax = 200

export interface MarkedView {
  snapshot: ListSnapshot
  counts: StatusCounts
  /** Runs `work` on the marks of the snapshot. */
  useMarks<T>(place: Place, work: (marks: Marks) => T): Promise<T>
  useSearch<T>(work: (texts: SearchTexts, uncounted: readonly CountedChange[]) => T): Promise<T>
}

interface Held {
  sequence: number
  places: Map<string, Marks>
  search?: SearchTexts
}

export class MarkedLists {
  private readonly mongo: Mongo
  private readonly held = new Map<string, Held>()
  /** Begun and waiting, by organization. */
  private readonly views = new Map<string, number>()

  constructor(mongo: Mongo) {
    this.mongo = mongo
  }

  /** `undefined` when too much is not counted yet, or late: what has begun serves later lists. */
  async view<T>(
    organizationId: string,
    withinMs: number,
    work: (view: MarkedView) => Promise<T>,
  ): Promise<T | undefined> {
    const leave = this.enter(organizationId)
    let state: 'waiting' | 'begun' | 'late' = 'waiting'
    const reading = inTurn(this, organizationId, async () => {
      if (state === 'late') return undefined
      state = 'begun'
      return inSnapshot(this.mongo, (snapshot) =>
        this.viewIn(snapshot, organizationId, work),
      ).finally(leave)
    })
    return withinTime(reading, withinMs, () => {
      if (state === 'begun') return
      state = 'late'
      leave()
    })
  }

  /** Returns the function that leaves. */
  private enter(organizationId: string): () => void {
    const count = this.views.get(organizationId) ?? 0
    if (count >= viewsMax) throw unavailable('The invoice list', new Error('too many lists wait'))
    this.views.set(organizationId, count + 1)
    return () => {
      const left = (this.views.get(organizationId) ?? 1) - 1
      if (left > 0) this.views.set(organizationId, left)
      else this.views.delete(organizationId)
    }
  }

  private async viewIn<T>(
    snapshot: ListSnapshot,
    organizationId: string,
    work: (view: MarkedView) => Promise<T>,
  ): Promise<T | undefined> {
    const { sequence, statuses } = await snapshot.readCounts(organizationId)
    const uncounted = await snapshot.readUncounted(organizationId)
    if (uncounted === 'too-many') return undefined
    const held = await this.advance(snapshot, organizationId, sequence)
    return work({
      snapshot,
      counts: addUncounted(statuses, uncounted),
      useMarks: async (place, use) => {
        const marks = await getMarks(snapshot, { held, place, uncounted })
        this.hold(organizationId, held)
        for (const change of uncounted) marks.change(change)
        try {
          return use(marks)
        } finally {
          for (const change of uncounted) marks.change(change, -1)
        }
      },
      useSearch: async (use) => {
        held.search ??= await SearchTexts.read(snapshot, organizationId)
        this.hold(organizationId, held)
        return use(held.search, uncounted)
      },
    })
  }

  private async advance(
    snapshot: ListSnapshot,
    organizationId: string,
    sequence: number,
  ): Promise<Held> {
    const known = this.held.get(organizationId)
    const missed =
      known &&
      (await snapshot.readChanges(organizationId, { after: known.sequence, until: sequence }))
    if (known && !missed) this.held.delete(organizationId)
    const held = known && missed ? known : { sequence, places: new Map<string, Marks>() }
    for (const change of missed ?? []) {
      for (const marks of held.places.values()) marks.change(change)
      held.search?.change(change)
    }
    held.sequence = sequence
    return held
  }

  /** Instead of the organizations listed longest ago. */
  private hold(organizationId: string, held: Held): void {
    this.held.delete(organizationId)
    this.held.set(organizationId, held)
    let length = 0
    for (const each of this.held.values()) length += measure(each)
    for (const [id, oldest] of this.held) {
      if (length <= marksMax || id === organizationId) return
      length -= measure(oldest)
      this.held.delete(id)
    }
  }
}

function measure({ places, search }: Held): number {
  let length = (search?.length ?? 0) / textsPerMark
  for (const marks of places.values()) length += marks.length
  return length
}

interface Wanted {
  held: Held
  place: Place
  uncounted: readonly CountedChange[]
}

async function getMarks(
  snapshot: ListSnapshot,
  { held, place, uncounted }: Wanted,
): Promise<Marks> {
  const name = `${place.by} ${place.status ?? ''}`
  const marks = held.places.get(name) ?? (await Marks.read(snapshot, place, uncounted))
  held.places.set(name, marks)
  await marks.refine(snapshot, uncounted)
  return marks
}

async function withinTime<T>(
  reading: Promise<T>,
  ms: number,
  onLate: () => void,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      onLate()
      resolve(undefined)
    }, ms)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
    reading.catch(() => undefined)
  }
}
