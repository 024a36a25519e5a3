import { BusFull, type Bus } from '@einvoicing/events/bus'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Invoice } from '@einvoicing/proto/invoice'
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

describe('a queue that a full bus refuses', () => {
  const count = 20_000
  const greedy = anInvoice({ organizationId: 'greedy' })
  const openQueue = () => {
    const queue = new Map<string, InvoiceEvent>()
    const add = (from: number, until: number, organizationid: string) => {
      for (let n = from; n < until; n += 1) {
        const event = { ...signedEvent(greedy), id: `event-${n}`, organizationid }
        queue.set(String(n).padStart(9, '0'), event)
      }
    }
    const store = {
      listOutbox: async (behind = '', size: number) =>
        [...queue]
          .filter(([position]) => position > behind)
          .slice(0, size)
          .map(([position, event]) => ({ position, event })),
      forgetOutbox: async (positions: string[]) => positions.forEach((one) => queue.delete(one)),
    } as unknown as InvoiceStore
    return { queue, add, store }
  }
  const openBus = () => {
    const state = { isFull: true, offered: [] as string[] }
    const bus = {
      async publish({ id, organizationid }: InvoiceEvent) {
        state.offered.push(id)
        if (state.isFull && organizationid === 'greedy') throw new BusFull('full')
      },
    } as unknown as Bus
    return { bus, state }
  }

  it('is offered once, then a thousand a run, and goes at once when there is space', async () => {
    const { queue, add, store } = openQueue()
    const { bus, state } = openBus()
    add(0, count, 'greedy')
    const relay = startOutboxRelay({ store, bus, log })
    await until(() => state.offered.length >= count)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(state.offered).toHaveLength(count)
    add(count, count + 1, 'other')
    await until(() => state.offered.length >= count + 1 + 1_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(state.offered).toHaveLength(count + 1 + 1_000)
    expect(queue.has(String(count).padStart(9, '0'))).toBe(false)
    // The next thousand: each is offered in its turn.
    await until(() => state.offered.length >= count + 1 + 2_000)
    expect(new Set(state.offered.slice(count + 1, count + 1 + 2_000)).size).toBe(2_000)
    state.isFull = false
    await until(() => queue.size === 0)
    await relay.close()
  })

  it('offers again the oldest first while there is some space', async () => {
    const { queue, add, store } = openQueue()
    const { bus, state } = openBus()
    add(0, 2_000, 'greedy')
    const relay = startOutboxRelay({ store, bus, log })
    await until(() => state.offered.length >= 2_000)
    state.isFull = false
    await until(() => queue.size === 0)
    expect(state.offered.slice(2_000, 2_003)).toEqual(['event-0', 'event-1', 'event-2'])
    await relay.close()
  })
})

it('the relay stops at the first page when the bus cannot be reached', async () => {
  const { bus, published, refused } = fullForTheGreedy(() => new Error('away'))
  const relay = startOutboxRelay({ store: outboxStore([]), bus, log })
  await until(() => refused() > 0)
  await new Promise(setImmediate)
  expect([refused(), published.size]).toEqual([200, 0])
  await relay.close()
})

const undecidedStore = (undecided: readonly Invoice[]) => {
  const indexes = new Map(undecided.map(({ id }, index) => [id, index]))
  return {
    listUndecided: async (before: string, last: { id: string } | undefined, count: number) => {
      const from = (indexes.get(last?.id ?? '') ?? -1) + 1
      return before > '9' ? [] : undecided.slice(from, from + count)
    },
  } as unknown as InvoiceStore
}

it('the sweeper publishes what others left', async () => {
  const { bus, published } = fullForTheGreedy(() => new BusFull('full'))
  const store = undecidedStore(invoices)
  const sweeper = startSweeper({ store, bus, now: () => new Date(), log })
  await until(() => published.size === 20)
  await sweeper.close()
})

describe('undecided invoices that a full bus refuses', () => {
  const count = 10_000
  const undecided = Array.from({ length: count }, () => anInvoice())
  const openBus = () => {
    const state = { isFull: true, offered: [] as string[], lose: () => {} }
    const bus = {
      async publish({ subject }: InvoiceEvent) {
        state.offered.push(subject)
        if (state.isFull) throw new BusFull('full')
      },
      onLoss: (rebuild: () => void) => (state.lose = rebuild),
    } as unknown as Bus
    return { bus, state }
  }
  const idle = async () => {
    for (let n = 0; n < 100; n += 1) await new Promise(setImmediate)
  }
  const aMinute = async () => {
    await jest.advanceTimersByTimeAsync(60_000)
    await idle()
  }

  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick'] }))
  afterEach(() => jest.useRealTimers())

  it('are offered once, then 2,500 a run in turn, and all when there is space', async () => {
    const { bus, state } = openBus()
    const store = undecidedStore(undecided)
    const sweeper = startSweeper({ store, bus, now: () => new Date(), log })
    const ids = undecided.map(({ id }) => id)
    const next = () => state.offered.splice(0)
    await idle()
    expect(next()).toEqual(ids)
    await aMinute()
    expect(next()).toEqual(ids.slice(0, 2_500))
    await aMinute()
    expect(next()).toEqual(ids.slice(2_500, 5_000))
    state.isFull = false
    await aMinute()
    expect(next()).toEqual([...ids.slice(5_000), ...ids])
    state.isFull = true
    await aMinute()
    state.lose()
    next()
    await aMinute()
    expect(next()).toEqual(ids)
    await sweeper.close()
  })

  it('leave time for requests between the pages', async () => {
    const { bus, state } = openBus()
    const store = undecidedStore(undecided)
    const sweeper = startSweeper({ store, bus, now: () => new Date(), log })
    const seen = new Set<number>()
    while (state.offered.length < count) {
      await new Promise(setImmediate)
      seen.add(state.offered.length)
    }
    expect(seen.size).toBeGreaterThan(10)
    await sweeper.close()
  })
})
