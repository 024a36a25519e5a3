/**
 * Publishes again what stays too long in SIGNED or TRANSMITTED, and all undecided invoices at start
 * and after the bus lost events. Events published twice have the same id.
 */

import { publishUnlessFull, type Bus, type BusFull } from '@einvoicing/events/bus'
import type { Invoice } from '@einvoicing/proto/invoice'
import { settleDecidedNotes } from './credit/waiting-notes'
import type { Deps } from './deps'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { signedEvent } from './signed-event'
import type { InvoiceStore } from './store/store'

const restsTooLongMs = 120_000
const pauseMs = 60_000
const pageSize = 500
/** In a row, of which the bus took nothing (decision 0160). */
const refusedPagesMax = 5
const endOfTime = '9999'

type Cursor = Pick<Invoice, 'updatedAt' | 'id'>
type SweeperDeps = Pick<Deps, 'store' | 'now' | 'log'> & { bus: Bus }

export function startSweeper(deps: SweeperDeps): Loop {
  const { store, bus, now, log } = deps
  // Includes the start; up to `answered` everything was offered again.
  let losses = 1
  let answered = 0
  let offered: Cursor | undefined

  const sweeper = startLoop({ name: 'sweeper', pauseMs, log }, async (closing) => {
    const counted = losses
    const isForLoss = counted > answered
    const readPage = pageReader(store, now().getTime(), isForLoss ? 0 : restsTooLongMs)
    const after = isForLoss ? undefined : offered
    const pagesMax = isForLoss ? Infinity : refusedPagesMax
    const swept = await sweep(deps, { readPage, after, pagesMax, closing })
    answered = counted
    offered = swept.after
    if (swept.published > 0)
      log.info({ published: swept.published }, 'republished undecided invoices')
    if (swept.full) throw swept.full
    // There is space again for what was offered before `after`.
    if (after) sweeper.wake()
  })
  bus.onLoss(() => {
    losses += 1
    sweeper.wake()
  })
  return sweeper
}

type ReadPage = (after: Cursor | undefined) => Promise<Invoice[]>

/** Changes dated in the future come from a clock that was set back; they count as too old. */
function pageReader(store: InvoiceStore, nowMs: number, restsMs: number): ReadPage {
  const before = new Date(nowMs - restsMs).toISOString()
  const ahead = { updatedAt: new Date(nowMs + restsTooLongMs).toISOString(), id: '' }
  return async (after) => {
    const page = await store.listUndecided(before, after, pageSize)
    if (page.length > 0) return page
    const isAhead = after !== undefined && after.updatedAt > ahead.updatedAt
    return store.listUndecided(endOfTime, isAhead ? after : ahead, pageSize)
  }
}

interface Sweep {
  readPage: ReadPage
  after: Cursor | undefined
  pagesMax: number
  closing: () => boolean
}

async function sweep(deps: SweeperDeps, { readPage, after, pagesMax, closing }: Sweep) {
  let published = 0
  let full: BusFull | undefined
  for (let refusedPages = 0; refusedPages < pagesMax && !closing();) {
    const undecided = await readPage(after)
    after = undecided.at(-1)
    if (!after) break
    await settleDecidedNotes(deps, undecided)
    const sendable = undecided.filter(({ waitsFor }) => !waitsFor)
    const outcomes = await Promise.all(
      sendable.map((invoice) => publishUnlessFull(deps.bus, signedEvent(invoice))),
    )
    const refused = outcomes.filter((outcome) => outcome !== undefined)
    const taken = sendable.length - refused.length
    refusedPages = refused.length > 0 && taken === 0 ? refusedPages + 1 : 0
    full ??= refused[0]
    published += taken
    // Requests are answered between pages.
    await new Promise(setImmediate)
  }
  return { published, full, after }
}
