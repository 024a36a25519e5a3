/** At least once: an event is deleted after it was published. */

import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { Deps } from './deps'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { OutgoingEvent, Position } from './store/store'

const pageSize = 200
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
  let published = 0
  const gather = () => (published >= many ? gatherManyMs : gatherMs)
  return startLoop({ name: 'outbox', pauseMs, gatherMs: gather, log }, async (closing) => {
    published = 0
    let behind: Position | undefined
    let full: BusFull | undefined
    for (;;) {
      const outgoing = await store.listOutbox(behind, pageSize)
      if (outgoing.length === 0 || closing()) break
      // In parallel: a bus on disk flushes once for many.
      const apiErrors = new Map<Position, Error>()
      const publish = ({ position, event }: OutgoingEvent) =>
        bus.publish(event).catch((error: unknown) => apiErrors.set(position, error as Error))
      await Promise.all(outgoing.map(publish))
      // Events of one invoice may share a position: deleted together, or published again together.
      const taken = outgoing
        .map(({ position }) => position)
        .filter((position) => !apiErrors.has(position))
      if (taken.length > 0) await store.forgetOutbox(taken)
      published += taken.length
      // When full for one organization, the bus may still accept events of others.
      for (const apiError of apiErrors.values()) {
        if (!(apiError instanceof BusFull)) throw apiError
        full ??= apiError
      }
      // Newer events wake the next run.
      if (outgoing.length < pageSize) break
      behind = outgoing.at(-1)?.position
    }
    if (full) throw full
  })
}
