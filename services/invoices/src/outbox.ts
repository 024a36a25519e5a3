/**
 * The relay: publishes what was committed until the bus has it, then forgets it. A fact may so be
 * published twice, never not at all.
 */

import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'
import type { OutgoingFact, Position } from './store/store'

const pageSize = 200
const pauseMs = 1_000

export function startOutboxRelay({
  store,
  bus,
  log,
}: Pick<Deps, 'store' | 'log'> & { bus: Bus }): Loop {
  return startLoop({ name: 'outbox', pauseMs, log }, async (closing) => {
    let behind: Position | undefined
    let full: BusFull | undefined
    for (;;) {
      const outgoing = await store.listOutbox(behind, pageSize)
      if (outgoing.length === 0 || closing()) break
      // All at once: a bus on a disk flushes once for many.
      const refusals = new Map<Position, Error>()
      const publish = ({ position, fact }: OutgoingFact) =>
        bus.publish(fact).catch((error: unknown) => refusals.set(position, error as Error))
      await Promise.all(outgoing.map(publish))
      // Facts that share a position are forgotten together, or published again together.
      const taken = outgoing
        .map(({ position }) => position)
        .filter((position) => !refusals.has(position))
      if (taken.length > 0) await store.forgetOutbox(taken)
      // Full for one organization, the bus may take what others have after it.
      for (const refusal of refusals.values()) {
        if (!(refusal instanceof BusFull)) throw refusal
        full ??= refusal
      }
      behind = outgoing.at(-1)?.position
    }
    if (full) throw full
  })
}
