import { createLog } from '@einvoicing/runtime/log'
import { arrivals, busContract, signedEvent } from '../bus.contract'
import { openInProcessBus } from './in-process-bus'

const log = createLog('silent')
const eventsHeldMax = 20_000

describe('local bus', () => {
  busContract(async () => openInProcessBus(log))

  it('treats an event that waits or is being delivered as one event, and accepts it again once done', async () => {
    const bus = openInProcessBus(log)
    const { arrive, all } = arrivals(3)
    const seen: string[] = []
    bus.subscribe(
      'invoice.signed',
      { name: 'one', inFlightMax: 4 },
      async ({ id }, { attempt }) => {
        seen.push(`${id} ${attempt}`)
        if (id === 'again') await bus.publish(signedEvent('again'))
        arrive()
        return id === 'again' && attempt === 1 ? { againInMs: 1 } : undefined
      },
    )
    await bus.publish(signedEvent('again'))
    await bus.publish(signedEvent('again'))
    await bus.publish(signedEvent('once'))
    await all
    expect(seen).toEqual(['again 1', 'once 1', 'again 2'])
    await bus.publish(signedEvent('once'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(seen.slice(3)).toEqual(['once 1'])
    await bus.close()
  })

  it('never runs a subscriber inside the publishing call', async () => {
    const bus = openInProcessBus(log)
    const order: string[] = []
    const { arrive, all } = arrivals(1)
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async () => {
      order.push('delivered')
      arrive()
    })
    await bus.publish(signedEvent())
    order.push('published')
    await all
    expect(order).toEqual(['published', 'delivered'])
    await bus.close()
  })

  it('begins no delivery that was only queued when it closed', async () => {
    const bus = openInProcessBus(log)
    let deliveries = 0
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async () => {
      deliveries += 1
    })
    await bus.publish(signedEvent())
    await bus.close()
    await new Promise(setImmediate)
    expect(deliveries).toBe(0)
  })

  it('holds events for the first subscriber of their type', async () => {
    const bus = openInProcessBus(log)
    await bus.publish(signedEvent('early'))
    const { arrive, all } = arrivals(2)
    const seen: string[] = []
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async ({ id }) => {
      seen.push(id)
      arrive()
    })
    await bus.publish(signedEvent('late'))
    await all
    expect(seen).toEqual(['early', 'late'])
    await bus.close()
  })

  it('pauses grow with failures in a row, not with deliveries', async () => {
    const bus = openInProcessBus(log)
    const { arrive, all } = arrivals(1)
    let failedAt = 0
    let againAt = 0
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async (_, { attempt }) => {
      if (attempt < 20) return { againInMs: 0 }
      if (attempt === 20) {
        failedAt = performance.now()
        throw new Error('once')
      }
      againAt = performance.now()
      arrive()
      return undefined
    })
    await bus.publish(signedEvent())
    await all
    expect(againAt - failedAt).toBeLessThan(5_000)
    await bus.close()
  })

  it('waits no longer than a timer can, and longer than zero', async () => {
    const bus = openInProcessBus(log)
    let deliveries = 0
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 1 }, async () => {
      deliveries += 1
      return { againInMs: 2 ** 40 }
    })
    await bus.publish(signedEvent())
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(deliveries).toBe(1)
    await bus.close()
  })

  describe.each(['with a subscriber', 'before any subscriber'])('full, %s', (when) => {
    it(`holds ${eventsHeldMax} events, rejects one more, and still accepts those that it holds`, async () => {
      const bus = openInProcessBus(log)
      const hold = () =>
        bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 64 }, async () => ({
          againInMs: 3_600_000,
        }))
      if (when === 'with a subscriber') hold()
      for (let n = 0; n < eventsHeldMax; n++) await bus.publish(signedEvent(`held-${n}`))
      await expect(bus.publish(signedEvent('one more'))).rejects.toThrow('is full: 20000 events')
      if (when === 'before any subscriber') hold()
      await expect(bus.publish(signedEvent('held-7'))).resolves.toBeUndefined()
      await expect(bus.publish(signedEvent('one more'))).rejects.toThrow('is full: 20000 events')
      await bus.close()
    })
  })

  it('admits an organization with few requests when another has filled it', async () => {
    const bus = openInProcessBus(log)
    const seen: string[] = []
    const { arrive, all } = arrivals(eventsHeldMax)
    const other = arrivals(20)
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 64 }, async (event) => {
      if (event.organizationid === 'organization-1') {
        arrive()
        return { againInMs: 3_600_000 }
      }
      seen.push(event.id)
      other.arrive()
      return { againInMs: 3_600_000 }
    })
    for (let n = 0; n < eventsHeldMax; n++) await bus.publish(signedEvent(`held-${n}`))
    await all
    const ofOther = (n: number) => ({ ...signedEvent(`other-${n}`), organizationid: 'other' })
    for (let n = 0; n < 20; n++) await bus.publish(ofOther(n))
    await other.all
    expect(seen).toHaveLength(20)
    // Still full for the organization that fills it: what was evicted comes back when there is
    // space.
    await expect(bus.publish(signedEvent('one more'))).rejects.toThrow('is full: 20000 events')
    await expect(bus.publish(signedEvent('held-0'))).rejects.toThrow('is full: 20000 events')
    await expect(bus.publish(signedEvent(`held-${eventsHeldMax - 1}`))).resolves.toBeUndefined()
    await bus.close()
  })

  it('accepts and delivers its maximum in order, within seconds', async () => {
    const bus = openInProcessBus(log)
    const { arrive, all } = arrivals(eventsHeldMax)
    const seen: string[] = []
    bus.subscribe('invoice.signed', { name: 'one', inFlightMax: 32 }, async ({ id }) => {
      seen.push(id)
      arrive()
    })
    const ids = Array.from({ length: eventsHeldMax }, (_, n) => `event-${n}`)
    const began = performance.now()
    for (const id of ids) await bus.publish(signedEvent(id))
    await all
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(seen).toEqual(ids)
    await bus.close()
  })
})
