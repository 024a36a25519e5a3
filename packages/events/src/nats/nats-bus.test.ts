import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { createLog } from '@einvoicing/runtime/log'
import { arrivals, busContract, signedEvent } from '../bus.contract'
import { readDeadLetters, replayDeadLetter, dropDeadLetter, type DeadLetter } from './dead-letters'
import { duplicateWindowMs, Streams } from './streams'
import { natsBed, patientPublishMs } from '../testdata/nats-bed'

describeWithOwn('nats-server', 'nats bus', () => {
  let server: Nats
  const bed = natsBed(() => server.url, { publishMs: patientPublishMs })
  beforeAll(async () => void (server = await startNats()))
  afterAll(() => server.dispose())
  afterEach(async () => {
    jest.restoreAllMocks()
    await bed.clear()
  })

  const one = { name: 'one', inFlightMax: 4 }
  const clearance = { name: 'clearance', inFlightMax: 4 }
  const messages = (stream: string) =>
    bed.bare(async ({ jsm }) => (await jsm.streams.info(stream)).state.messages)
  const deadLetters = () =>
    bed.bare(async ({ jsm }) => {
      const letters: DeadLetter[] = []
      for await (const letter of readDeadLetters(jsm)) letters.push(letter)
      return letters
    })
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  busContract(() => bed.open())

  it('updates streams at its start only, and reports settings that are not its own', async () => {
    const name = 'einvoicing-invoice'
    const readMax = () =>
      bed.bare(async ({ jsm }) => (await jsm.streams.info(name)).config.max_msgs)
    const setMax = (max_msgs: number) =>
      bed.bare(async ({ jsm }) => void (await jsm.streams.update(name, { max_msgs })))
    await (await bed.open()).close()
    const wanted = await readMax()
    await setMax(7)
    const [info, warn] = [jest.fn(), jest.fn()]
    const log = Object.assign(createLog('silent'), { info, warn })
    const streams = new Streams(1, () => undefined, log)
    const ensure = () => bed.bare(({ jsm }) => streams.ensure(jsm))
    await ensure()
    expect(await readMax()).toBe(wanted)
    const found = { stream: name, found: { max_msgs: 7 } }
    expect(info.mock.calls).toEqual([[found, expect.stringMatching(/^stream updated/)]])
    await setMax(7)
    for (let round = 0; round < 3; round += 1) await ensure()
    expect(await readMax()).toBe(7)
    expect(warn.mock.calls).toEqual([[found, expect.stringMatching(/has other settings/)]])
    await setMax(wanted)
    await ensure()
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('stores events for a subscriber whose process has never run', async () => {
    const publisher = await bed.open()
    const events = [signedEvent(), signedEvent()]
    for (const event of events) await publisher.publish(event)
    await publisher.close()
    const { arrive, all } = arrivals(2)
    const seen: string[] = []
    const subscriber = await bed.open()
    subscriber.subscribe('invoice.signed', clearance, async ({ id }) => {
      seen.push(id)
      arrive()
    })
    await all
    expect(seen.sort()).toEqual(events.map(({ id }) => id).sort())
    await until(async () => (await messages('einvoicing-invoice')) === 0)
  })

  it('lets processes of one name share its events, each to one of them', async () => {
    const { arrive, all } = arrivals(200)
    const seen: [string, string][] = []
    for (const process of ['a', 'b']) {
      const bus = await bed.open()
      bus.subscribe('invoice.signed', clearance, async ({ id }) => {
        seen.push([id, process])
        await new Promise((resolve) => setTimeout(resolve, 2))
        arrive()
      })
    }
    const publisher = await bed.open()
    await Promise.all(Array.from({ length: 200 }, () => publisher.publish(signedEvent())))
    await all
    expect(new Set(seen.map(([id]) => id)).size).toBe(200)
    expect(seen).toHaveLength(200)
    expect(new Set(seen.map(([, process]) => process)).size).toBe(2)
  })

  it('treats an event published again as one event, while it waits and right after it is done', async () => {
    const bus = await bed.open()
    const seen: string[] = []
    bus.subscribe('invoice.signed', clearance, async ({ id }, { attempt }) => {
      seen.push(`${id} ${attempt}`)
      return id.startsWith('waits') ? { againInMs: 3_600_000 } : undefined
    })
    const publishTwice = async (run: number) => {
      const [waits, once, last] = ['waits', 'once', 'last'].map((name) => `${name}-${run}`)
      seen.length = 0
      const startedMs = performance.now()
      await bus.publish(signedEvent(waits))
      await bus.publish(signedEvent(once))
      // Those that wait of this run and of the earlier ones.
      await until(async () => seen.length >= 2 && (await messages('einvoicing-invoice')) === run)
      await bus.publish(signedEvent(waits))
      await bus.publish(signedEvent(once))
      const tookMs = performance.now() - startedMs
      await bus.publish(signedEvent(last))
      await until(async () => seen.includes(`${last} 1`))
      return { tookMs, expected: [`${last} 1`, `${once} 1`, `${waits} 1`] }
    }
    // After the window NATS no longer knows an event that is done: such a run shows nothing.
    for (let run = 1; ; run += 1) {
      const { tookMs, expected } = await publishTwice(run)
      if (tookMs > duplicateWindowMs && run < 5) continue
      expect(seen.sort()).toEqual(expected)
      return
    }
  })

  it('many waiting events block no other', async () => {
    const bus = await bed.open()
    const { arrive, all } = arrivals(2_001)
    bus.subscribe('invoice.signed', clearance, async ({ id }) => {
      arrive()
      return id === 'last' ? undefined : { againInMs: 3_600_000 }
    })
    // In sequence: the last of many at once would wait longer than a publish may.
    for (let turn = 0; turn < 20; turn += 1) {
      await Promise.all(Array.from({ length: 100 }, () => bus.publish(signedEvent())))
    }
    await bus.publish(signedEvent('last'))
    await all
  })

  it('on close, queued work goes to another process at once', async () => {
    const first = await bed.open()
    let end = () => undefined as void
    const begun = arrivals(1)
    first.subscribe('invoice.signed', { name: 'clearance', inFlightMax: 1 }, async () => {
      begun.arrive()
      await new Promise<void>((resolve) => (end = resolve))
    })
    const events = Array.from({ length: 5 }, () => signedEvent())
    for (const event of events) await first.publish(event)
    await begun.all
    const closed = first.close()
    const { arrive, all } = arrivals(4)
    const second = await bed.open()
    second.subscribe('invoice.signed', clearance, async () => arrive())
    await all
    end()
    await closed
    await until(async () => (await messages('einvoicing-invoice')) === 0)
  })

  it('lets running deliveries publish while it closes', async () => {
    const bus = await bed.open()
    const begun = arrivals(1)
    let end = () => undefined as void
    bus.subscribe('invoice.signed', clearance, async ({ id }) => {
      begun.arrive()
      await new Promise<void>((resolve) => (end = resolve))
      await bus.publish({ ...signedEvent(`published for ${id}`) })
    })
    await bus.publish(signedEvent('first'))
    await begun.all
    const closed = bus.close()
    end()
    await closed
    expect(await messages('einvoicing-invoice')).toBe(1)
  })

  it.each([
    ['no JSON', 'garbage'],
    ['JSON that is no object', '"text"'],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe)],
    ['another type', JSON.stringify({ ...signedEvent(), type: 'clearance.failed' })],
    ['data cut short', JSON.stringify({ ...signedEvent(), data: { xmlSha256: 'ab' } })],
  ])('stores %s as a dead letter at once, and goes on', async (_, content) => {
    const bus = await bed.open()
    const { arrive, all } = arrivals(1)
    bus.subscribe('invoice.signed', clearance, async () => arrive())
    await bed.bare(({ js }) => js.publish('einvoicing.invoice.signed.strange', content))
    await bus.publish(signedEvent())
    await all
    await until(async () => (await messages('einvoicing-invoice')) === 0)
    const [letter] = await deadLetters()
    expect(letter).toMatchObject({
      subscriber: 'clearance',
      type: 'invoice.signed',
      subject: 'einvoicing.invoice.signed.strange',
      deliveries: 1,
      reason: expect.stringMatching(/^[\w .]+$/) as string,
      data: Buffer.from(content as string),
    })
    await bed.bare(({ jsm }) => dropDeadLetter(jsm, letter!))
    expect(await deadLetters()).toEqual([])
  })

  it('stores an event that failed for too long as a dead letter, to be replayed whole', async () => {
    const bus = await bed.open({ maxRedeliveryAgeMs: 300_000 })
    const { arrive, all } = arrivals(1)
    let isRecovered = false
    const event = signedEvent()
    // Deliveries come late on a busy machine: the clock goes by the attempts.
    let laterMs = 0
    const now = performance.now.bind(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => now() + laterMs)
    bus.subscribe('invoice.signed', clearance, async (seen, { attempt }) => {
      if (!isRecovered) {
        laterMs = (attempt - 1) * 200_000
        throw new Error('never\nagain')
      }
      expect(seen).toEqual(event)
      arrive()
    })
    await bus.publish(event)
    await until(async () => (await deadLetters()).length === 1)
    expect(await messages('einvoicing-invoice')).toBe(0)
    const [letter] = await deadLetters()
    expect(letter).toMatchObject({ deliveries: 3, reason: 'never again' })
    isRecovered = true
    await bed.bare((session) => replayDeadLetter(session, letter!))
    await all
    expect(await deadLetters()).toEqual([])
  })

  it('reads no dead letter twice that is stored again when it is replayed', async () => {
    const bus = await bed.open()
    bus.subscribe('invoice.signed', clearance, async () => undefined)
    await bed.bare(({ js }) => js.publish('einvoicing.invoice.signed.strange', 'garbage'))
    await until(async () => (await deadLetters()).length === 1)
    const replayed = await bed.bare(async (session) => {
      const seqs: number[] = []
      for await (const letter of readDeadLetters(session.jsm)) {
        seqs.push(letter.seq)
        if (seqs.length > 3) break
        await replayDeadLetter(session, letter)
        await until(async () => (await deadLetters()).some(({ seq }) => seq > letter.seq))
      }
      return seqs
    })
    expect(replayed).toEqual([1])
    expect(await deadLetters()).toMatchObject([{ seq: 2 }])
  })

  it('counts a dead letter as dropped that is replaced or dropped meanwhile', async () => {
    await bed.open()
    const subject = 'einvoicing.dead-letters.clearance.invoice.signed'
    const add = (place: string) =>
      bed.bare(({ js }) => js.publish(`${subject}.${place}`, 'garbage'))
    for (const place of ['a', 'b', 'c', 'b']) await add(place)
    const drop = (seq: number) => bed.bare(({ jsm }) => dropDeadLetter(jsm, { seq } as DeadLetter))
    const seqs = async () => (await deadLetters()).map(({ seq }) => seq)
    expect(await seqs()).toEqual([1, 3, 4])
    for (const seq of [2, 1, 1, 4, 4]) await drop(seq)
    expect(await seqs()).toEqual([3])
  })

  it('reads no dead letter where no bus was ever opened', async () => {
    expect(await deadLetters()).toEqual([])
  })

  it('counts failures in a row: one after many deliveries is not a failing event', async () => {
    const bus = await bed.open({ maxRedeliveryAgeMs: 300 })
    const { arrive, all } = arrivals(6)
    bus.subscribe('invoice.signed', one, async (_, { attempt }) => {
      arrive()
      if (attempt % 2 === 1) throw new Error('now and then')
      return attempt < 6 ? { againInMs: 10 } : undefined
    })
    await bus.publish(signedEvent())
    await all
    expect(await deadLetters()).toEqual([])
  })

  it('delivers events of a crashed process to another process, and none of a slow one', async () => {
    const event = signedEvent('held by a crash')
    await (await bed.open()).publish(event)
    await bed.bare(async ({ js }) => {
      const consumer = await js.consumers.get('einvoicing-invoice', 'clearance-invoice-signed')
      expect((await consumer.next())?.json()).toEqual(event)
    })
    const bus = await bed.open()
    const { arrive, all } = arrivals(2)
    const seen: string[] = []
    bus.subscribe('invoice.signed', clearance, async ({ id }, { attempt }) => {
      seen.push(`${id} ${attempt}`)
      if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 22_000))
      arrive()
    })
    await bus.publish(signedEvent('slow'))
    await all
    await bus.close()
    expect(seen.sort()).toEqual(['held by a crash 2', 'slow 1'])
  })
})
