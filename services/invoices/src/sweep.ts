/**
 * The sweeper: publishes again whatever rests in SIGNED or TRANSMITTED too long, so that a bus that
 * lost everything is rebuilt from the store. At start it takes every undecided invoice: what the
 * last process held in memory is gone.
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
  let before = now()
  return startLoop({ name: 'sweeper', pauseMs, log }, async (closing) => {
    let last: Invoice | undefined
    let published = 0
    do {
      const undecided = await store.listUndecided(before.toISOString(), last, pageSize)
      for (const invoice of undecided) await bus.publish(signedFact(invoice))
      published += undecided.length
      last = undecided.at(-1)
    } while (last && !closing())
    if (published > 0) log.info({ published }, 'undecided invoices published again')
    before = new Date(now().getTime() - restsTooLongMs)
  })
}
