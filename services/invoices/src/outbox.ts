/**
 * The relay: publishes what was committed until the bus has it, then forgets it. A fact may so be
 * published twice, never not at all.
 */

import type { Bus } from '@einvoicing/kernel/bus/bus'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'
import type { Position } from './store/store'

const pageSize = 200
const pauseMs = 1_000

export function startOutboxRelay({
  store,
  bus,
  log,
}: Pick<Deps, 'store' | 'log'> & { bus: Bus }): Loop {
  return startLoop({ name: 'outbox', pauseMs, log }, async (closing) => {
    let behind: Position | undefined
    for (;;) {
      const outgoing = await store.listOutbox(behind, pageSize)
      if (outgoing.length === 0 || closing()) return
      // All at once: a bus on a disk flushes once for many.
      const tries = await Promise.allSettled(outgoing.map(({ fact }) => bus.publish(fact)))
      const taken = outgoing.filter((_, index) => tries[index]?.status === 'fulfilled')
      if (taken.length > 0) await store.forgetOutbox(taken)
      const refused = tries.find((tried) => tried.status === 'rejected')
      if (refused) throw refused.reason
      behind = outgoing.at(-1)?.position
    }
  })
}
