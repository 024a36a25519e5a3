/**
 * Publishes again what stays too long in SIGNED or TRANSMITTED, and all undecided invoices at start
 * and after the bus lost events. Events published twice have the same id.
 */

import { publishUnlessFull, type Bus, type BusFull } from '@einvoicing/events/bus'
import type { Invoice } from '@einvoicing/proto/invoice'
import { endWait } from './credit/end-wait'
import type { Deps } from './deps'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { signedEvent } from './signed-event'

const restsTooLongMs = 120_000
const pauseMs = 60_000
const pageSize = 500
const endOfTime = '9999'

type Cursor = Pick<Invoice, 'updatedAt' | 'id'>

export function startSweeper(deps: Pick<Deps, 'store' | 'now' | 'log'> & { bus: Bus }): Loop {
  const { store, bus, now, log } = deps
  // Includes the start; up to `answered` everything was published again.
  let losses = 1
  let answered = 0
  const restsSince = () => new Date(now().getTime() - (losses > answered ? 0 : restsTooLongMs))

  const sweeper = startLoop({ name: 'sweeper', pauseMs, log }, async (closing) => {
    const before = restsSince().toISOString()
    const counted = losses
    // Changes dated in the future come from a clock that was set back; they count as too old.
    const ahead = new Date(now().getTime() + restsTooLongMs).toISOString()
    let published = 0
    let firstFull: BusFull | undefined
    const sweep = async (until: string, from: Cursor | undefined) => {
      let last: Cursor | undefined = from
      do {
        const undecided = await store.listUndecided(until, last, pageSize)
        const waiting = undecided.filter(({ waitsFor }) => waitsFor)
        for (const { organizationId, id } of waiting) await endWait(deps, organizationId, id)
        const sendable = undecided.filter(({ waitsFor }) => !waitsFor)
        const outcomes = await Promise.all(
          sendable.map((invoice) => publishUnlessFull(bus, signedEvent(invoice))),
        )
        const full = outcomes.filter((outcome) => outcome !== undefined)
        firstFull ??= full[0]
        published += sendable.length - full.length
        last = undecided.at(-1)
      } while (last && !closing())
    }
    await sweep(before, undefined)
    await sweep(endOfTime, { updatedAt: ahead, id: '' })
    if (published > 0) log.info({ published }, 'republished undecided invoices')
    if (firstFull) throw firstFull
    answered = counted
  })
  bus.onLoss(() => {
    losses += 1
    sweeper.wake()
  })
  return sweeper
}
