import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { InvoiceEvent } from '@einvoicing/events/event'
import { createLog } from '@einvoicing/runtime/log'
import type { Invoice } from '@einvoicing/proto/invoice'
import { pollForDays, dueSpans, startQueryingFailed } from './query-failed'
import type { InvoiceStore, Span } from './store/store'
import { anInvoice } from './store/testdata/invoices'

const log = createLog('silent')
const dayMs = 86_400_000
const start = Date.parse('2026-03-01T00:00:00.000Z')
const at = (days: number) => new Date(start + days * dayMs).toISOString()

/** Invoices in memory, and the moment that outlives a process. */
function stored(failed: Invoice[], queriedUntil?: string) {
  const progress = { queriedUntil }
  const store = {
    listFailed: async ({ after, until }: Span) =>
      failed.filter(({ updatedAt }) => updatedAt > after && updatedAt <= until),
    failedQueriedUntil: async () => progress.queriedUntil,
    advanceFailedQueried: async (seen: string | undefined, until: string) => {
      if (seen !== progress.queriedUntil) return false
      progress.queriedUntil = until
      return true
    },
  } as unknown as InvoiceStore
  return { store, kept: progress }
}

const failedAt = (days: number, organizationId = 'org-1') =>
  anInvoice({ status: 'FAILED', updatedAt: at(days), organizationId })

/** One run of a process started on day `days`. */
async function run(
  store: InvoiceStore,
  days: number,
  refuse?: (event: InvoiceEvent) => Error | undefined,
) {
  const published: string[] = []
  const bus = {
    async publish(event: InvoiceEvent) {
      const error = refuse?.(event)
      if (error) throw error
      published.push(event.subject)
    },
  } as unknown as Bus
  const loop = startQueryingFailed({ store, bus, now: () => new Date(start + days * dayMs), log })
  await new Promise((resolve) => setTimeout(resolve, 10))
  await loop.close()
  return published
}

it('queries an invoice once a day for thirty days, however often the process restarts', async () => {
  const invoice = failedAt(0)
  const { store } = stored([invoice], at(0))
  const daysQueried: number[] = []
  for (let hours = 1; hours <= 40 * 24; hours += 7) {
    for (const id of await run(store, hours / 24)) {
      expect(id).toBe(invoice.id)
      daysQueried.push(Math.floor(hours / 24))
    }
  }
  expect(daysQueried).toEqual(Array.from({ length: pollForDays }, (_, n) => n + 1))
})

it('queries nothing in its first run, and misses none afterwards', async () => {
  const { store } = stored([failedAt(-3.5)])
  expect(await run(store, 0)).toHaveLength(0)
  expect(await run(store, 0.4)).toHaveLength(0)
  expect(await run(store, 0.6)).toHaveLength(1)
})

it('queries once everything that was due while no process ran', async () => {
  const invoices = [failedAt(0), failedAt(5), failedAt(9.5), failedAt(-25)]
  const { store } = stored(invoices, at(1))
  const published = await run(store, 10)
  expect(published.toSorted()).toEqual([invoices[0]!.id, invoices[1]!.id].toSorted())
})

it('only one of two processes queries', async () => {
  const { store } = stored([failedAt(0)], at(0.9))
  const published = await Promise.all([run(store, 1), run(store, 1)])
  expect(published.flat()).toHaveLength(1)
})

it('continues with others when the bus is full for one organization', async () => {
  const [greedy, other] = [failedAt(0, 'greedy'), failedAt(0.01, 'other')]
  const { store } = stored([greedy, other], at(0.5))
  const queried = await run(store, 1.1, ({ organizationid }) =>
    organizationid === 'greedy' ? new BusFull('full') : undefined,
  )
  expect(queried).toEqual([other.id])
})

it('continues from now after the clock was ahead', async () => {
  const { store, kept } = stored([failedAt(-0.5)], at(100))
  expect(await run(store, 0)).toEqual([])
  expect(kept.queriedUntil).toBe(at(0))
  expect(await run(store, 0.6)).toHaveLength(1)
})

it('its spans cover each day before, and no time twice', () => {
  const spans = dueSpans({ after: at(0), until: at(0.25) })
  expect(spans).toHaveLength(30)
  expect(spans[0]).toEqual({ after: at(-1), until: at(-0.75) })
  expect(spans[29]).toEqual({ after: at(-30), until: at(-29.75) })
})
