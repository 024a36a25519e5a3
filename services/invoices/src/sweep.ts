/**
 * The sweeper: publishes again whatever rests in SIGNED or TRANSMITTED too long, so that a bus that
 * lost everything is rebuilt from the store. It takes every undecided invoice at start, for what
 * the last process held in memory is gone, and when the bus says that it has lost facts.
 */

import type { Bus } from '@einvoicing/kernel/bus/bus'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'
import { signedFact } from './signed-fact'

const restsTooLongMs = 120_000
const pauseMs = 60_000
const pageSize = 500

export function startSweeper({
  store,
  bus,
  now,
  log,
}: Pick<Deps, 'store' | 'now' | 'log'> & { bus: Bus }): Loop {
  // Counts what calls for all of them; those up to `answered` have been published.
  let losses = 1
  let answered = 0
  const restsSince = () => new Date(now().getTime() - (losses > answered ? 0 : restsTooLongMs))

  const sweeper = startLoop({ name: 'sweeper', pauseMs, log }, async (closing) => {
    const before = restsSince().toISOString()
    const counted = losses
    let last: Invoice | undefined
    let published = 0
    do {
      const undecided = await store.listUndecided(before, last, pageSize)
      await Promise.all(undecided.map((invoice) => bus.publish(signedFact(invoice))))
      published += undecided.length
      last = undecided.at(-1)
    } while (last && !closing())
    if (published > 0) log.info({ published }, 'undecided invoices published again')
    answered = counted
  })
  bus.onLoss(() => {
    losses += 1
    sweeper.wake()
  })
  return sweeper
}
