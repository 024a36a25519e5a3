/**
 * The relay: publishes what was committed until the bus has it, then forgets it. A fact may so be
 * published twice, never not at all.
 */

import type { Bus } from '@einvoicing/kernel/bus/bus'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'

const pageSize = 200
const pauseMs = 1_000

export function startOutboxRelay({
  store,
  bus,
  log,
}: Pick<Deps, 'store' | 'log'> & { bus: Bus }): Loop {
  return startLoop({ name: 'outbox', pauseMs, log }, async (closing) => {
    let behind = 0
    for (;;) {
      const outgoing = await store.listOutbox(behind, pageSize)
      if (outgoing.length === 0 || closing()) return
      for (const { fact } of outgoing) await bus.publish(fact)
      await store.forgetOutbox(outgoing.map(({ position }) => position))
      behind = outgoing.at(-1)?.position ?? behind
    }
  })
}
