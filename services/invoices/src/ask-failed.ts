/**
 * Has clearance ask for FAILED invoices once a day for thirty days: the platform may decide after
 * we gave up, and the books must say what the authority's say.
 *
 * An invoice is due a whole number of days after it failed. So nothing is written for each: the
 * store keeps only up to when everything due was asked for. A process that wants to ask takes the
 * time since then; what it does not get to before it ends is asked for the day after.
 */

import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'
import { failedEvent } from './signed-event'
import type { Span } from './store/store'

const dayMs = 86_400_000
export const askedForDays = 30
const pauseMs = 10 * 60_000
const pageSize = 500

export function startAskingFailed({
  store,
  bus,
  now,
  log,
}: Pick<Deps, 'store' | 'now' | 'log'> & { bus: Bus }): Loop {
  /** From when on this process still has to ask for what it took. */
  let owedSince: string | undefined

  return startLoop({ name: 'ask-failed', pauseMs, log }, async (closing) => {
    const until = now().toISOString()
    const seen = await store.failedAskedUntil()
    // At first, or with a clock that was ahead: what failed before today is due within a day.
    const since = owedSince ?? (seen !== undefined && seen < until ? seen : until)
    const isTaken = await store.advanceFailedAsked(seen, until)
    if (!isTaken && owedSince === undefined) return
    owedSince = since
    let asked = 0
    for (const span of dueSpans({ after: since, until })) {
      for await (const page of pagesOf(store, span)) {
        asked += await publishAll(bus, page, until)
        if (closing()) return
      }
    }
    owedSince = undefined
    if (asked > 0) log.info({ asked }, 'the platform is asked for invoices that failed')
  })
}

/** When what is due in `span` failed: one, two … thirty days before. */
export function dueSpans({ after, until }: Span): Span[] {
  const before = (moment: string, days: number) =>
    new Date(Date.parse(moment) - days * dayMs).toISOString()
  // Of a longer time every invoice is due, once is enough.
  if (Date.parse(until) - Date.parse(after) >= dayMs) {
    return [{ after: before(until, askedForDays), until: before(until, 1) }]
  }
  return Array.from({ length: askedForDays }, (_, n) => ({
    after: before(after, n + 1),
    until: before(until, n + 1),
  }))
}

async function* pagesOf(store: Deps['store'], span: Span): AsyncGenerator<Invoice[]> {
  let last: Invoice | undefined
  do {
    const page = await store.listFailed(span, last, pageSize)
    yield page
    last = page.length === pageSize ? page.at(-1) : undefined
  } while (last)
}

/** How many; what an organization has too many of is asked for the day after. */
async function publishAll(bus: Bus, page: readonly Invoice[], askedAt: string): Promise<number> {
  const published = await Promise.all(
    page.map(async (invoice) => {
      try {
        await bus.publish(failedEvent(invoice, askedAt))
        return 1
      } catch (error) {
        if (error instanceof BusFull) return 0
        throw error
      }
    }),
  )
  return published.reduce<number>((sum, one) => sum + one, 0)
}
