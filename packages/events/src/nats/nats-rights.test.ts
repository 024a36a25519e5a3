/** The deployed rights of each service's NATS user: `deploy/nats/rights`. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import type { InvoiceEvent } from '../event'
import { createLog } from '@einvoicing/runtime/log'
import type { Bus } from '../bus'
import { arrivals, signedEvent } from '../bus.contract'
import { encodeEvent, eventSubject } from './messages'
import { openNatsBus } from './nats-bus'
import { dropDeadLetter, readDeadLetters, replayDeadLetter, type DeadLetter } from './dead-letters'
import { natsConfig } from '../testdata/nats-bed'

jest.setTimeout(60_000)

type User = 'invoices' | 'clearance'

const acceptedEvent = (): InvoiceEvent<'clearance.accepted'> => ({
  ...signedEvent(),
  type: 'clearance.accepted',
  source: 'clearance',
  data: {
    submissionId: 's',
    reference: 'r',
    qrCode: 'q',
    qrPayload: 'p',
    decidedAt: '2026-01-31T10:00:00.000Z',
    answer: '{}',
  },
})

describeWithOwn('nats-server', 'the users of NATS', () => {
  let folder: string
  let server: Nats
  const buses: Bus[] = []
  const connections: NatsConnection[] = []
  const passwords: Record<User, string> = { invoices: 'one-password', clearance: 'another' }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-nats-rights-'))
    server = await startNats({ users: passwords })
  })
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()))
    await Promise.all(connections.splice(0).map((connection) => connection.close()))
  })
  afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true })
  })

  const openAs = async (user: User): Promise<Bus> => {
    const passwordFile = path.join(folder, user)
    await writeFile(passwordFile, passwords[user])
    const config = natsConfig(server.url, { credentials: { kind: 'password', user, passwordFile } })
    const bus = await openNatsBus(config, { log: createLog('silent') })
    buses.push(bus)
    return bus
  }
  /** As a thief of the password would. */
  const enterAs = async (user: User) => {
    const pass = passwords[user]
    const inboxPrefix = `_INBOX_${user}`
    const connection = await connect({
      servers: server.url,
      user,
      pass,
      inboxPrefix,
      timeout: 4_000,
    })
    connections.push(connection)
    const options = { timeout: 2_000 }
    const jsm = await jetstreamManager(connection, options)
    return { connection, js: jetstream(connection, options), jsm }
  }
  const refused = (work: Promise<unknown>) =>
    expect(
      work.then(
        () => 'done',
        (error: unknown) => `${(error as Error).message} ${String((error as Error).cause)}`,
      ),
    ).resolves.toMatch(/Permissions Violation/i)

  it('suffice for all that both services do, whichever starts first', async () => {
    // Nothing exists yet, and clearance may not create it: it waits.
    const clearance = await openAs('clearance')
    const invoices = await openAs('invoices')
    const signed = arrivals(1)
    const accepted = arrivals(1)
    clearance.subscribe('invoice.signed', { name: 'clearance', inFlightMax: 2 }, async () =>
      signed.arrive(),
    )
    invoices.subscribe('clearance.accepted', { name: 'invoices', inFlightMax: 2 }, async () =>
      accepted.arrive(),
    )
    await invoices.publish(signedEvent())
    await signed.all
    await clearance.publish(acceptedEvent())
    await accepted.all
    await Promise.all([clearance.check(), invoices.check()])
  })

  it('let an operator read, replay and drop dead letters as invoices', async () => {
    const clearance = await openAs('clearance')
    await openAs('invoices')
    const arrived = arrivals(1)
    clearance.subscribe('invoice.signed', { name: 'clearance', inFlightMax: 2 }, async () =>
      arrived.arrive(),
    )
    const session = await enterAs('invoices')
    const event = signedEvent()
    await session.js.publish(eventSubject(event), 'no event at all')
    const letters = async () => {
      const found = []
      for await (const letter of readDeadLetters(session.jsm)) found.push(letter)
      return found
    }
    while ((await letters()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    const [letter] = await letters()
    await replayDeadLetter(session, { ...letter!, data: Buffer.from(encodeEvent(event)) })
    await arrived.all
    await session.js.publish(eventSubject(signedEvent()), 'no event either')
    while ((await letters()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    await dropDeadLetter(session.jsm, (await letters())[0]!)
    expect(await letters()).toEqual([])
  })

  it('a dead letter of clearance is replayed to no subject but what it takes', async () => {
    await openAs('invoices')
    const thief = await enterAs('clearance')
    const session = await enterAs('invoices')
    const { config } = await session.jsm.streams.info('einvoicing-invoice')
    const update = '$JS.API.STREAM.UPDATE.einvoicing-invoice'
    const changed = JSON.stringify({ ...config, max_msgs: 1 })
    const accepted = acceptedEvent()
    const decided = eventSubject(accepted)
    const moved = signedEvent()
    const letters = [
      { type: 'invoice.signed', subject: update, data: changed },
      { type: 'invoice.signed', subject: 'einvoicing.invoice.signed.a.b', data: 'garbage' },
      { type: 'invoice.signed', subject: 'einvoicing.invoice.signed.>', data: 'garbage' },
      { type: 'invoice.signed', subject: decided, data: encodeEvent(accepted) },
      { type: 'clearance.accepted', subject: decided, data: encodeEvent(accepted) },
      { type: 'toString', subject: update, data: changed },
      { type: 'invoice.signed', subject: update, data: encodeEvent(moved) },
    ]
    for (const [place, { type, subject, data }] of letters.entries()) {
      const stored = headers()
      stored.set('Subscriber', 'invoices')
      stored.set('Type', type)
      stored.set('Subject', subject)
      const there = `einvoicing.dead-letters.clearance.${place}`
      await thief.js.publish(there, data, { headers: stored })
    }
    const replayed: string[] = []
    for await (const letter of readDeadLetters(session.jsm)) {
      replayed.push(await replayDeadLetter(session, letter).then(String, String))
    }
    const left: DeadLetter[] = []
    for await (const letter of readDeadLetters(session.jsm)) left.push(letter)
    expect(replayed.slice(0, -1)).toEqual(
      left.map(
        ({ seq, subject }) =>
          `NotReplayableError: ${seq} can only be dropped: it holds no event for clearance, and ${subject} is none of its subjects`,
      ),
    )
    expect(left.map(({ subscriber }) => subscriber)).toEqual(
      letters.slice(1).map(() => 'clearance'),
    )
    expect(replayed.at(-1)).toBe('undefined')
    const { state, config: after } = await session.jsm.streams.info('einvoicing-invoice', {
      subjects_filter: '>',
    })
    expect(after).toEqual(config)
    expect(state.subjects).toEqual({ [eventSubject(moved)]: 1 })
    expect((await session.jsm.streams.info('einvoicing-clearance')).state.messages).toBe(0)
    for (const letter of left) await dropDeadLetter(session.jsm, letter)
  })

  it.each(['invoices', 'clearance'] as const)('%s deletes and purges nothing', async (user) => {
    await openAs('invoices')
    const { jsm } = await enterAs(user)
    await refused(jsm.streams.delete('einvoicing-invoice'))
    await refused(jsm.streams.purge('einvoicing-clearance'))
    await refused(jsm.streams.deleteMessage('einvoicing-invoice', 1))
    await refused(jsm.consumers.delete('einvoicing-invoice', 'clearance-invoice-signed'))
    await refused(jsm.consumers.pause('einvoicing-invoice', 'clearance-invoice-signed', new Date()))
    await refused(jsm.streams.add({ name: 'other', subjects: ['other.>'] }))
  })

  it('clearance can neither publish as invoices nor change streams nor read its events', async () => {
    await openAs('invoices')
    const { js, jsm } = await enterAs('clearance')
    await refused(js.publish(eventSubject(signedEvent()), encodeEvent(signedEvent())))
    await refused(js.publish('einvoicing.dead-letters.invoices.x', ''))
    const { config } = await jsm.streams.info('einvoicing-clearance')
    await refused(jsm.streams.update(config.name, { ...config, max_msgs: 1 }))
    await refused(
      jsm.consumers.add('einvoicing-clearance', { durable_name: 'invoices-clearance-accepted' }),
    )
    const { connection } = await enterAs('clearance')
    const next = '$JS.API.CONSUMER.MSG.NEXT.einvoicing-clearance.invoices-clearance-accepted'
    await refused(connection.request(next, '', { timeout: 1_000 }))
  })

  it('no user reads the answers to another, nor what is published', async () => {
    const { connection } = await enterAs('clearance')
    for (const subject of ['_INBOX_invoices.>', '_INBOX.>', 'einvoicing.>', '>', '$JS.>']) {
      const subscription = connection.subscribe(subject)
      await refused(
        subscription.closed.then((error) => (error ? Promise.reject(error) : undefined)),
      )
    }
  })
})
