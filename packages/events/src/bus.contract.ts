import type { InvoiceEvent } from './event'
import type { Bus, Delivery } from './bus'

let published = 0

/** A unique event, not mistaken for another test's on a shared bus. */
export function signedEvent(
  id = `event-${process.pid}-${++published}`,
): InvoiceEvent<'invoice.signed'> {
  return {
    specversion: '1.0',
    id,
    source: 'invoices',
    type: 'invoice.signed',
    time: '2026-01-02T03:04:05.678Z',
    subject: `invoice of ${id}`,
    organizationid: 'organization-1',
    data: { xmlSha256: 'ab', clearanceStartedAt: '2026-01-02T03:04:05.678Z', transmitted: false },
  }
}

function toFailedEvent(event: InvoiceEvent<'invoice.signed'>): InvoiceEvent<'clearance.failed'> {
  const { clearanceStartedAt } = event.data
  return {
    ...event,
    id: `failed: ${event.id}`,
    source: 'clearance',
    type: 'clearance.failed',
    data: { errorCode: 'NO_ANSWER', errorMessage: 'no answer', clearanceStartedAt },
  }
}

export function arrivals(count: number): { arrive: () => void; all: Promise<void> } {
  let left = count
  let resolve: () => void
  const all = new Promise<void>((settle) => (resolve = settle))
  const arrive = () => {
    left -= 1
    if (left === 0) resolve()
  }
  return { arrive, all }
}

export function busContract(open: () => Promise<Bus>): void {
  let bus: Bus
  beforeEach(async () => {
    bus = await open()
  })
  afterEach(() => bus.close())

  it('delivers an event whole, as a first attempt, to every name once', async () => {
    const { arrive, all } = arrivals(2)
    const seen: [string, InvoiceEvent, Delivery][] = []
    for (const name of ['one', 'two']) {
      bus.subscribe('invoice.signed', { name, inFlightMax: 4 }, async (event, delivery) => {
        seen.push([name, event, delivery])
        arrive()
      })
    }
    const event = signedEvent()
    await bus.publish(event)
    await all
    expect(seen.sort()).toEqual([
      ['one', event, { attempt: 1 }],
      ['two', event, { attempt: 1 }],
    ])
  })

  it('delivers only the type subscribed to', async () => {
    const { arrive, all } = arrivals(1)
    const seen: string[] = []
    bus.subscribe('clearance.failed', { name: 'one', inFlightMax: 4 }, async ({ type }) => {
      seen.push(type)
    })
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 4 }, async ({ type }) => {
      seen.push(type)
      arrive()
    })
    await bus.publish(signedEvent())
    await all
    expect(seen).toEqual(['invoice.signed'])
  })

  it('delivers again after the subscriber threw, counting the attempts', async () => {
    const { arrive, all } = arrivals(3)
    const attempts: number[] = []
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 4 }, async (_, { attempt }) => {
      attempts.push(attempt)
      arrive()
      if (attempt < 3) throw new Error('not now')
    })
    await bus.publish(signedEvent())
    await all
    expect(attempts).toEqual([1, 2, 3])
  })

  it('delivers again after `againInMs`, not before', async () => {
    const { arrive, all } = arrivals(2)
    const at: number[] = []
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async (_, { attempt }) => {
      at.push(performance.now())
      arrive()
      return attempt === 1 ? { againInMs: 120 } : undefined
    })
    await bus.publish(signedEvent())
    await all
    // Node's timers may fire a millisecond early.
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(119)
  })

  it('runs up to the maximum of deliveries at once, and no more', async () => {
    const count = 12
    const { arrive, all } = arrivals(count)
    let running = 0
    let most = 0
    let reach: () => void = () => undefined
    const reached = new Promise<void>((resolve) => (reach = resolve))
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 3 }, async () => {
      running += 1
      most = Math.max(most, running)
      if (running === 3) reach()
      await reached
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      arrive()
    })
    for (let n = 0; n < count; n++) await bus.publish(signedEvent())
    await all
    expect(most).toBe(3)
  })

  it('waiting and failing events block no other, even with a single slot', async () => {
    const { arrive, all } = arrivals(20)
    const stuck = [signedEvent(), signedEvent(), signedEvent()]
    const waits = new Set(stuck.slice(0, 2).map(({ id }) => id))
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async ({ id }) => {
      if (waits.has(id)) return { againInMs: 3_600_000 }
      if (id === stuck[2]!.id) throw new Error('poisoned')
      arrive()
      return undefined
    })
    for (const event of stuck) await bus.publish(event)
    for (let n = 0; n < 20; n++) await bus.publish(signedEvent())
    await all
  })

  it('drains: close waits for running deliveries and begins no new one', async () => {
    const begun = arrivals(1)
    let end: () => void = () => undefined
    const released = new Promise<void>((resolve) => (end = resolve))
    const seen: string[] = []
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async ({ id }) => {
      begun.arrive()
      await released
      seen.push(id)
    })
    const events = [signedEvent('first'), signedEvent('second')]
    for (const event of events) await bus.publish(event)
    await begun.all
    let isClosed = false
    const closed = bus.close().then(() => (isClosed = true))
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
    end()
    await closed
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen).toEqual(['first'])
  })

  it('a closed subscription begins no delivery, while running ones publish to others', async () => {
    const begun = arrivals(1)
    const reported = arrivals(1)
    let end: () => void = () => undefined
    const released = new Promise<void>((resolve) => (end = resolve))
    const one = { name: 'one', inFlightMax: 1 }
    let deliveries = 0
    const subscription = bus.subscribe('invoice.signed', one, async (event) => {
      deliveries += 1
      begun.arrive()
      await released
      await bus.publish(toFailedEvent(event))
    })
    bus.subscribe('clearance.failed', one, async () => reported.arrive())
    for (let n = 0; n < 2; n++) await bus.publish(signedEvent())
    await begun.all
    const closed = subscription.close()
    end()
    await closed
    await reported.all
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(deliveries).toBe(1)
  })

  it('rejects an event once closed, so that the store publishes it again', async () => {
    await bus.close()
    await expect(bus.publish(signedEvent())).rejects.toThrow('closed')
  })
}
