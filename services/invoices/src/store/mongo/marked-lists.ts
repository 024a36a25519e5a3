/** Marks of the orders listed in this process, updated by stored changes. */

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

  constructor(mongo: Mongo) {
    this.mongo = mongo
  }

  /** `undefined` when too much is not counted yet. */
  async view<T>(
    organizationId: string,
    work: (view: MarkedView) => Promise<T>,
  ): Promise<T | undefined> {
    return inTurn(this, organizationId, () =>
      inSnapshot(this.mongo, (snapshot) => this.viewIn(snapshot, organizationId, work)),
    )
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
        this.bound(organizationId)
        for (const change of uncounted) marks.change(change)
        try {
          return use(marks)
        } finally {
          for (const change of uncounted) marks.change(change, -1)
        }
      },
      useSearch: async (use) => {
        held.search ??= await SearchTexts.read(snapshot, organizationId)
        this.bound(organizationId)
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
    const held = known && missed ? known : { sequence, places: new Map<string, Marks>() }
    for (const change of missed ?? []) {
      for (const marks of held.places.values()) marks.change(change)
      held.search?.change(change)
    }
    held.sequence = sequence
    this.held.delete(organizationId)
    this.held.set(organizationId, held)
    return held
  }

  /** Forgets the organizations listed longest ago; the last one stays. */
  private bound(organizationId: string): void {
    let length = 0
    for (const held of this.held.values()) length += measure(held)
    for (const [id, held] of this.held) {
      if (length <= marksMax || id === organizationId) return
      length -= measure(held)
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
