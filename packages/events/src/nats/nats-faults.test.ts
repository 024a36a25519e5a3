import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { createLog } from '@einvoicing/runtime/log'
import type { InvoiceEvent } from '../event'
import type { Bus } from '../bus'
import { arrivals, signedEvent } from '../bus.contract'
import { Streams } from './streams'
import { natsBed, patientPublishMs, type NatsBed } from '../testdata/nats-bed'

jest.setTimeout(60_000)

describeWithOwn('nats-server', 'nats bus, when the server is hurt', () => {
  let server: Nats
  let other: Nats
  const bed = natsBed(() => server.url)
  const otherBed = natsBed(() => other.url)
  beforeAll(async () => {
    server = await startNats()
    other = await startNats()
  })
  afterAll(() => Promise.all([server.dispose(), other.dispose()]))
  afterEach(() => Promise.all([bed.clear(), otherBed.clear()]))

  const clearance = { name: 'clearance', inFlightMax: 8 }
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const publishUntilTaken = async (bus: Bus, event: InvoiceEvent) => {
    for (;;) {
      try {
        await bus.publish(event)
        return
      } catch {
        await later(100)
      }
    }
  }

  it('opens while the server is unavailable, rejects at once, and recovers by itself', async () => {
    await server.stop()
    const bus = await bed.open()
    const { arrive, all } = arrivals(1)
    bus.subscribe('invoice.signed', clearance, async () => arrive())
    const startMs = performance.now()
    await expect(bus.publish(signedEvent())).rejects.toThrow('unreachable')
    await expect(bus.check()).rejects.toThrow('unreachable')
    expect(performance.now() - startMs).toBeLessThan(10_000)
    await server.start()
    await publishUntilTaken(bus, signedEvent())
    await all
    await expect(bus.check()).resolves.toBeUndefined()
  })

  it('delivers every acknowledged event though the server is killed again and again', async () => {
    const bus = await bed.open()
    const subscriber = await bed.open()
    const seen = new Set<string>()
    subscriber.subscribe('invoice.signed', clearance, async ({ id }) => void seen.add(id))
    const taken: string[] = []
    let isOver = false
    const publishing = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        const event = signedEvent()
        const isTaken = await bus.publish(event).then(
          () => true,
          () => false,
        )
        if (isTaken) taken.push(event.id)
        await later(20)
      }
    })
    for (let kill = 1; kill <= 3; kill++) {
      while (taken.length < 200 * kill) await later(10)
      await server.kill9()
      await server.start()
      await publishUntilTaken(bus, signedEvent())
    }
    isOver = true
    await Promise.all(publishing)
    const missing = () => taken.filter((id) => !seen.has(id))
    while (missing().length > 0) await later(100)
  })

  it('rejects within seconds while the server hangs, and goes on when it resumes', async () => {
    const bus = await bed.open()
    const { arrive, all } = arrivals(2)
    bus.subscribe('invoice.signed', clearance, async () => arrive())
    await publishUntilTaken(bus, signedEvent())
    await server.pause()
    const startMs = performance.now()
    await expect(bus.publish(signedEvent())).rejects.toThrow()
    expect(performance.now() - startMs).toBeLessThan(25_000)
    await server.resume()
    await publishUntilTaken(bus, signedEvent())
    await all
  })

  it('accepts an event when its stream was deleted a moment ago', async () => {
    const bus = await bed.open({ publishMs: patientPublishMs })
    const { arrive, all } = arrivals(1)
    bus.subscribe('invoice.signed', clearance, async () => arrive())
    await bed.bare(({ jsm }) => jsm.streams.delete('einvoicing-invoice'))
    await bus.publish(signedEvent())
    await all
  })

  /**
   * Events that stay undecided until their third delivery, and are published again when the bus
   * asks for it.
   */
  const decideAll = async (on: NatsBed, lose: () => Promise<unknown>): Promise<void> => {
    const [publisher, subscriber] = [await on.open(), await on.open()]
    const undecided = new Map(
      Array.from({ length: 300 }, () => signedEvent()).map((event) => [event.id, event]),
    )
    const publishAll = () =>
      [...undecided.values()].map((event) => publishUntilTaken(publisher, event))
    publisher.onLoss(() => void Promise.all(publishAll()))
    let isLost = false
    const attempts = new Map<string, number>()
    subscriber.subscribe('invoice.signed', clearance, async ({ id }, { attempt }) => {
      expect(attempt).toBeGreaterThan(attempts.get(id) ?? 0)
      attempts.set(id, attempt)
      if (isLost && attempt >= 3) undecided.delete(id)
      return undecided.has(id) ? { againInMs: 300 } : undefined
    })
    await Promise.all(publishAll())
    while (attempts.size < undecided.size) await later(20)
    await lose()
    isLost = true
    while (undecided.size > 0) await later(50)
  }

  it('reports events lost with their stream or consumer, and goes on counting attempts', async () => {
    const [stream, consumer] = ['einvoicing-invoice', 'clearance-invoice-signed']
    await Promise.all([
      decideAll(bed, () => bed.bare(({ jsm }) => jsm.streams.delete(stream))),
      decideAll(otherBed, () => otherBed.bare(({ jsm }) => jsm.consumers.delete(stream, consumer))),
    ])
  })

  it('reports a loss though creating the consumers again failed first', async () => {
    const onLoss = jest.fn()
    const streams = new Streams(1, onLoss, createLog('silent'))
    await bed.bare(async ({ jsm }) => {
      await streams.ensure(jsm)
      await jsm.streams.delete('einvoicing-invoice')
      const list = () => {
        throw new Error('the connection broke')
      }
      const halfWay = Object.create(jsm, { consumers: { value: { list } } })
      await expect(streams.ensure(halfWay)).rejects.toThrow('the connection broke')
      await streams.ensure(jsm)
      await streams.ensure(jsm)
    })
    expect(onLoss).toHaveBeenCalledTimes(1)
  })

  it("reports events lost when the server's store is deleted", async () => {
    await decideAll(bed, async () => {
      await server.deleteStore()
      await server.start()
    })
  })

  it('closes while the server is unavailable', async () => {
    const bus = await bed.open()
    bus.subscribe('invoice.signed', clearance, async () => undefined)
    await server.kill9()
    const startMs = performance.now()
    await bus.close()
    expect(performance.now() - startMs).toBeLessThan(10_000)
    await server.start()
  })
})
