/**
 * The sweeper: publishes again whatever rests in SIGNED or TRANSMITTED too long, so that a bus that
 * lost everything is rebuilt from the store. It takes every undecided invoice at start, for what
 * the last process held in memory is gone, and when the bus says that it has lost events.
 *
 * Each process sweeps the whole store: what two publish is one event by its id, and clearance asks
 * the platform before it sends again.
 */

import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'
import { signedEvent } from './signed-event'

const restsTooLongMs = 120_000
const pauseMs = 60_000
const pageSize = 500
/** After every moment in ISO 8601. */
const endOfTime = '9999'

type Cursor = Pick<Invoice, 'updatedAt' | 'id'>

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
    // Changed in what is the future now: the clock was set back since, and they rest as well.
    const ahead = new Date(now().getTime() + restsTooLongMs).toISOString()
    let published = 0
    let full: BusFull | undefined
    const sweep = async (until: string, from: Cursor | undefined) => {
      let last: Cursor | undefined = from
      do {
        const undecided = await store.listUndecided(until, last, pageSize)
        const apiErrors = await Promise.all(
          undecided.map((invoice) => publishUnlessFull(bus, signedEvent(invoice))),
        )
        const refused = apiErrors.filter((apiError) => apiError !== undefined)
        full ??= refused[0]
        published += undecided.length - refused.length
        last = undecided.at(-1)
      } while (last && !closing())
    }
    await sweep(before, undefined)
    await sweep(endOfTime, { updatedAt: ahead, id: '' })
    if (published > 0) log.info({ published }, 'undecided invoices published again')
    if (full) throw full
    answered = counted
  })
  bus.onLoss(() => {
    losses += 1
    sweeper.wake()
  })
  return sweeper
}

/** Full for one organization, the bus may take what others have after it. */
async function publishUnlessFull(bus: Bus, fact: InvoiceEvent): Promise<BusFull | undefined> {
  try {
    await bus.publish(fact)
    return undefined
  } catch (error) {
    if (error instanceof BusFull) return error
    throw error
  }
}
