/** The relay and the sweeper, when the bus is full for one organization. */

import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { InvoiceEvent } from '@einvoicing/events/event'
import { createLog } from '@einvoicing/runtime/log'
import { startOutboxRelay } from './outbox'
import { signedEvent } from './signed-event'
import type { InvoiceStore } from './store/store'
import { anInvoice } from './store/testdata/invoices'
import { startSweeper } from './sweep'

const log = createLog('silent')
const invoices = [
  ...Array.from({ length: 1_200 }, () => anInvoice({ organizationId: 'greedy' })),
  ...Array.from({ length: 20 }, () => anInvoice({ organizationId: 'other' })),
]

function fullForTheGreedy(error: () => Error) {
  const published = new Set<string>()
  let refused = 0
  const bus = {
    async publish({ subject, organizationid }: InvoiceEvent) {
      if (organizationid === 'greedy') {
        refused += 1
        throw error()
      }
      published.add(subject)
    },
    onLoss: () => undefined,
  } as unknown as Bus
  return { bus, published, refused: () => refused }
}

const until = async (satisfies: () => boolean) => {
  while (!satisfies()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const outboxStore = (forgotten: string[]) => {
  const outgoing = invoices.map((invoice, n) => ({
    position: String(n + 1),
    event: signedEvent(invoice),
  }))
  return {
    listOutbox: async (behind: string | undefined, count: number) =>
      outgoing.slice(Number(behind ?? 0), Number(behind ?? 0) + count),
    forgetOutbox: async (positions: string[]) => void forgotten.push(...positions),
  } as unknown as InvoiceStore
}

it('the relay publishes what others left, and deletes only that', async () => {
  const forgotten: string[] = []
  const { bus, published } = fullForTheGreedy(() => new BusFull('full'))
  const relay = startOutboxRelay({ store: outboxStore(forgotten), bus, log })
  await until(() => forgotten.length >= 20)
  await relay.close()
  expect(published.size).toBe(20)
  expect(forgotten.slice(0, 20)).toEqual(invoices.slice(1_200).map((_, n) => String(n + 1_201)))
})

it('the relay stops at the first page when the bus cannot be reached', async () => {
  const { bus, published, refused } = fullForTheGreedy(() => new Error('away'))
  const relay = startOutboxRelay({ store: outboxStore([]), bus, log })
  await until(() => refused() > 0)
  await new Promise(setImmediate)
  expect([refused(), published.size]).toEqual([200, 0])
  await relay.close()
})

it('the sweeper publishes what others left', async () => {
  const store = {
    listUndecided: async (_before: string, last: { id: string } | undefined, count: number) => {
      const from = last ? invoices.findIndex(({ id }) => id === last.id) + 1 : 0
      return invoices.slice(from, from + count)
    },
  } as unknown as InvoiceStore
  const { bus, published } = fullForTheGreedy(() => new BusFull('full'))
  const sweeper = startSweeper({ store, bus, now: () => new Date(), log })
  await until(() => published.size === 20)
  await sweeper.close()
})
