/**
 * The platform may decide after we gave up. An invoice is due whole days after it failed, so one
 * stored time is enough: everything due until then was queried.
 */

import { publishUnlessFull, type Bus } from '@einvoicing/events/bus'
import type { Invoice } from '@einvoicing/proto/invoice'
import { isNeverSent } from '@einvoicing/domain/creditable'
import type { Deps } from './deps'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { toFailedQueryEvent } from './signed-event'
import type { Span } from './store/store'

const dayMs = 86_400_000
export const pollForDays = 30
const pauseMs = 10 * 60_000
const pageSize = 500

export function startQueryingFailed({
  store,
  bus,
  now,
  log,
}: Pick<Deps, 'store' | 'now' | 'log'> & { bus: Bus }): Loop {
  let owedSince: string | undefined

  return startLoop({ name: 'ask-failed', pauseMs, log }, async (closing) => {
    const until = now().toISOString()
    const seen = await store.failedQueriedUntil()
    // First run, or a clock that was ahead: what failed before today is due within a day.
    const since = owedSince ?? (seen !== undefined && seen < until ? seen : until)
    const isTaken = await store.advanceFailedQueried(seen, until)
    if (!isTaken && owedSince === undefined) return
    owedSince = since
    let queried = 0
    for (const span of dueSpans({ after: since, until })) {
      for await (const page of readPages(store, span)) {
        queried += await publishAll(bus, page, until)
        if (closing()) return
      }
    }
    owedSince = undefined
    if (queried > 0) log.info({ queried }, 'published queries about failed invoices')
  })
}

/** When the invoices due in `span` failed: one, two … thirty days before. */
export function dueSpans({ after, until }: Span): Span[] {
  const before = (moment: string, days: number) =>
    new Date(Date.parse(moment) - days * dayMs).toISOString()
  // In a day or more every invoice is due; once is enough.
  if (Date.parse(until) - Date.parse(after) >= dayMs) {
    return [{ after: before(until, pollForDays), until: before(until, 1) }]
  }
  return Array.from({ length: pollForDays }, (_, n) => ({
    after: before(after, n + 1),
    until: before(until, n + 1),
  }))
}

async function* readPages(store: Deps['store'], span: Span): AsyncGenerator<Invoice[]> {
  let last: Invoice | undefined
  do {
    const page = await store.listFailed(span, last, pageSize)
    yield page
    last = page.length === pageSize ? page.at(-1) : undefined
  } while (last)
}

/** Returns how many were published; the rest is queried a day later. */
async function publishAll(bus: Bus, page: readonly Invoice[], queriedAt: string): Promise<number> {
  // A credit note whose original was rejected was never sent.
  const sent = page.filter((invoice) => !isNeverSent(invoice))
  const outcomes = await Promise.all(
    sent.map((invoice) => publishUnlessFull(bus, toFailedQueryEvent(invoice, queriedAt))),
  )
  return outcomes.filter((outcome) => outcome === undefined).length
}
