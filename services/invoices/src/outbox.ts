/**
 * At least once: an event is deleted after it was published. What a full bus refused is offered
 * again some pages at a time, so that a run costs no more when the queue is long.
 */

import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { Deps } from './deps'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { InvoiceStore, OutgoingEvent, Position } from './store/store'

const pageSize = 200
/** In a row, of which the bus took nothing. */
const refusedPagesMax = 5
const pauseMs = 1_000
const gatherMs = 15
/** Under load: a page then holds many events and costs little more. */
const gatherManyMs = 100
const many = 8

export function startOutboxRelay({
  store,
  bus,
  log,
}: Pick<Deps, 'store' | 'log'> & { bus: Bus }): Loop {
  const publisher = new PagePublisher(store, bus)
  const gatherMsNow = () => (publisher.published >= many ? gatherManyMs : gatherMs)
  /** While the bus is full: how far events were offered, and how far they were offered again. */
  let offered: Position | undefined
  let offeredAgain: Position | undefined

  return startLoop({ name: 'outbox', pauseMs, gatherMs: gatherMsNow, log }, async (closing) => {
    publisher.published = 0
    const newer = await publisher.publishFrom(offered, Infinity, closing)
    const isRepeated = offered !== undefined
    const again = isRepeated
      ? await publisher.publishFrom(offeredAgain, refusedPagesMax, closing)
      : newer
    const full = newer.full ?? again.full
    const isEveryOneTaken = !full && again.isEnd && offeredAgain === undefined
    offered = isEveryOneTaken ? undefined : newer.after
    // The oldest go first, unless there is no space even for one.
    const isRefused = isRepeated && !again.isEnd && again.taken === 0
    offeredAgain = isRefused ? again.after : undefined
    if (full) throw full
  })
}

interface Offered {
  full: BusFull | undefined
  /** The last event that was offered. */
  after: Position | undefined
  taken: number
  isEnd: boolean
}

class PagePublisher {
  published = 0
  private readonly store: InvoiceStore
  private readonly bus: Bus

  constructor(store: InvoiceStore, bus: Bus) {
    this.store = store
    this.bus = bus
  }

  async publishFrom(
    after: Position | undefined,
    pagesMax: number,
    closing: () => boolean,
  ): Promise<Offered> {
    const offered: Offered = { full: undefined, after, taken: 0, isEnd: false }
    for (let refusedPages = 0; refusedPages < pagesMax && !closing();) {
      const outgoing = await this.store.listOutbox(offered.after, pageSize)
      const { full, taken } = await this.publish(outgoing)
      refusedPages = full && taken === 0 ? refusedPages + 1 : 0
      offered.full ??= full
      offered.taken += taken
      offered.after = outgoing.at(-1)?.position ?? offered.after
      // Newer events wake the next run.
      offered.isEnd = outgoing.length < pageSize
      if (offered.isEnd) break
      // Requests are answered between pages.
      await new Promise(setImmediate)
    }
    return offered
  }

  private async publish(outgoing: readonly OutgoingEvent[]) {
    // In parallel: a bus on disk flushes once for many.
    const errors = new Map<Position, Error>()
    const publish = ({ position, event }: OutgoingEvent) =>
      this.bus.publish(event).catch((error: unknown) => errors.set(position, error as Error))
    await Promise.all(outgoing.map(publish))
    // Events of one invoice may share a position: deleted together, or published again together.
    const taken = outgoing
      .map(({ position }) => position)
      .filter((position) => !errors.has(position))
    if (taken.length > 0) await this.store.forgetOutbox(taken)
    this.published += taken.length
    // When full for one organization, the bus may still accept events of others.
    let full: BusFull | undefined
    for (const error of errors.values()) {
      if (!(error instanceof BusFull)) throw error
      full ??= error
    }
    return { full, taken: taken.length }
  }
}
