/**
 * The marks of the orders that this process listed, advanced by the stored changes to the snapshot
 * of each list, one list of an organization at a time.
 */

import type { Mongo } from '@einvoicing/stores/mongo'
import { addUncounted, inSnapshot, type ListSnapshot, type StatusCounts } from './list-snapshot'
import { Marks } from './marks'
import type { CountedChange } from './counted-row'
import type { Place } from './list-orders'

/** Of all organizations; about 20 MB. */
const marksMax = 100_000

export interface MarkedView {
  snapshot: ListSnapshot
  counts: StatusCounts
  /** Runs `work` on the marks as the snapshot is; they change again afterwards. */
  useMarks<T>(place: Place, work: (marks: Marks) => T): Promise<T>
}

interface Held {
  sequence: number
  places: Map<string, Marks>
}

export class MarkedLists {
  private readonly server: Mongo
  private readonly held = new Map<string, Held>()
  private readonly running = new Map<string, Promise<unknown>>()

  constructor(server: Mongo) {
    this.server = server
  }

  /** `undefined` when too much is not counted yet. */
  async view<T>(
    organizationId: string,
    work: (view: MarkedView) => Promise<T>,
  ): Promise<T | undefined> {
    const before = this.running.get(organizationId) ?? Promise.resolve()
    const run = before.then(() =>
      inSnapshot(this.server, (snapshot) => this.viewIn(snapshot, organizationId, work)),
    )
    const ended = run.catch(() => undefined)
    this.running.set(organizationId, ended)
    try {
      return await run
    } finally {
      if (this.running.get(organizationId) === ended) this.running.delete(organizationId)
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
        this.bound(organizationId)
        for (const change of uncounted) marks.change(change)
        try {
          return use(marks)
        } finally {
          for (const change of uncounted) marks.change(change, -1)
        }
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
    for (const marks of held.places.values())
      for (const change of missed ?? []) marks.change(change)
    held.sequence = sequence
    this.held.delete(organizationId)
    this.held.set(organizationId, held)
    return held
  }

  /** Forgets the organizations listed longest ago; the last one stays. */
  private bound(organizationId: string): void {
    let length = 0
    for (const { places } of this.held.values()) {
      for (const marks of places.values()) length += marks.length
    }
    for (const [id, { places }] of this.held) {
      if (length <= marksMax || id === organizationId) return
      for (const marks of places.values()) length -= marks.length
      this.held.delete(id)
    }
  }
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
