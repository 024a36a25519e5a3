import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createLog } from '@einvoicing/runtime/log'
import { limits } from '@einvoicing/domain/limits'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { InvoiceChange, ListChangesRequest } from '@einvoicing/proto/invoices'
import type { Request, Response } from 'express'
import { BodyMemory } from '../http/body-memory'
import { beginExchange, getExchange } from '../http/exchange'
import { sendError } from '../http/error-to-http'
import { smallInvoices } from '../testdata/small-services'
import { findResumePoint, InvoiceEvents, listenToEvents, type EventTimes } from './events'

const log = createLog('silent')
const toMoment = (ms: number) => new Date(ms).toISOString()

/** The part of the invoices service that lists changes. */
class Changes {
  readonly visible: InvoiceChange[] = []
  readonly requests: ListChangesRequest[] = []
  isUnavailable = false
  private made = 0

  change(fields: Partial<InvoiceChange> = {}): InvoiceChange {
    this.made += 1
    const change = {
      invoiceId: `i-${this.made}`,
      invoiceNumber: `F-${this.made}`,
      status: 'SIGNED' as const,
      updatedAt: toMoment(Date.now()),
      ...fields,
    }
    const at = this.visible.findIndex(({ invoiceId }) => invoiceId === change.invoiceId)
    if (at >= 0) this.visible.splice(at, 1)
    this.visible.push(change)
    this.visible.sort((one, other) => (toKey(one) < toKey(other) ? -1 : 1))
    return change
  }

  async list(request: ListChangesRequest) {
    this.requests.push(request)
    if (this.isUnavailable) throw unavailable('The invoice store')
    const { since, behind, count } = request
    const changes = this.visible.filter((one) => since !== '' && toKey(one) > since + behind)
    return { changes: changes.slice(0, count), at: toMoment(Date.now()) }
  }
}

const toKey = ({ updatedAt, invoiceId }: InvoiceChange) => updatedAt + invoiceId

interface Reading {
  /** Events so far: name, id and data. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look inside
  events: { name: string; id: string; data: any }[]
  text(): string
  status: number
  headers: IncomingMessage['headers']
  closed: Promise<unknown>
  leave(): void
}

describe('the stream of changes', () => {
  let changes: Changes
  let events: InvoiceEvents
  let server: http.Server
  let authenticate: jest.Mock
  const readings: Reading[] = []
  /** Each reader is another user. */
  let users = 0
  const otherFields = { organizationName: 'o', email: 'a@b', role: 'MEMBER', expiresAt: '' }

  const open = async (times: Partial<EventTimes> = {}) => {
    changes = new Changes()
    const invoices = {
      ...smallInvoices(),
      listChanges: (request: ListChangesRequest) => changes.list(request),
    }
    events = new InvoiceEvents(
      { invoices, log },
      { heartbeatMs: 15_000, patienceMs: 10_000, lifetimeMs: 900_000, ...times },
    )
    authenticate = jest.fn(async () => undefined)
    const handle = listenToEvents(events, authenticate)
    server = http.createServer((request, response) => {
      beginExchange(request, response, new BodyMemory(1))
      const organizationId = String(request.headers['x-organization'] ?? 'org-1')
      const userId = `user ${(users += 1)}`
      const member = { organizationId, userId, ...otherFields }
      Object.assign(getExchange(response), {
        caller: { service: 'gateway', actor: 'user:a', organizationId },
        member,
      })
      try {
        void handle(request as Request, Object.assign(response, { req: request }) as Response)
      } catch (thrown) {
        sendError(Object.assign(response, { req: request }) as Response, thrown, log)
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  afterEach(async () => {
    for (const reading of readings.splice(0)) reading.leave()
    events.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const read = async (headers: Record<string, string> = {}, pathname = '/events') => {
    const { port } = server.address() as AddressInfo
    const request = http.get({ port, path: pathname, headers, agent: false })
    request.on('error', () => undefined)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    response.on('error', () => undefined)
    const reading: Reading = {
      get events() {
        return eventsIn(text)
      },
      text: () => text,
      status: response.statusCode ?? 0,
      headers: response.headers,
      closed: new Promise((resolve) => response.once('close', resolve)),
      leave: () => request.destroy(),
    }
    readings.push(reading)
    return { reading, response }
  }
  const listening = async (headers?: Record<string, string>) => {
    const { reading } = await read(headers)
    await until(() => expect(reading.events[0]?.name).toBe('ready'))
    return reading
  }
  const changed = ({ events: reported }: Reading) =>
    reported.filter(({ name }) => name === 'invoice').map(({ data }) => data.invoiceId)

  it('sends ready first, then each change once, in its newest state', async () => {
    await open()
    changes.change()
    const reading = await listening()
    expect(reading.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(reading.text()).toMatch(/^retry: 3000\n\n/)
    const { at } = reading.events[0]!.data
    expect(reading.events[0]).toEqual({ name: 'ready', id: at, data: { at, resumed: false } })

    const made = changes.change()
    changes.change({ ...made, status: 'ACCEPTED', updatedAt: toMoment(Date.now() + 1) })
    await until(() => expect(changed(reading)).toEqual([made.invoiceId]))
    expect(reading.events.at(-1)?.data).toEqual({
      ...made,
      status: 'ACCEPTED',
      updatedAt: changes.visible.at(-1)?.updatedAt,
    })
    await pause(2_200)
    expect(changed(reading)).toEqual([made.invoiceId])
  })

  it('sends changes of the same millisecond, and one that became visible late', async () => {
    await open()
    const reading = await listening()
    const updatedAt = toMoment(Date.now())
    const [one, other] = [changes.change({ updatedAt }), changes.change({ updatedAt })]
    await until(() => expect(changed(reading)).toEqual([one.invoiceId, other.invoiceId]))
    const third = changes.change({ updatedAt, invoiceId: 'a-before-the-others' })
    await until(() => expect(changed(reading)).toContain(third.invoiceId))
    const late = changes.change({ updatedAt: toMoment(Date.now() - 5_000) })
    await until(() => expect(changed(reading)).toContain(late.invoiceId))
    expect(changed(reading)).toHaveLength(4)
  })

  it('polls once a second for all streams of an organization, and stops when they are closed', async () => {
    await open()
    const readings = await Promise.all([listening(), listening(), listening()])
    await listening({ 'x-organization': 'org-2' })
    changes.requests.length = 0
    const startedAt = Date.now()
    // Of two organizations.
    await until(() => expect(changes.requests.length).toBeGreaterThanOrEqual(5))
    const seconds = Math.ceil((Date.now() - startedAt) / 1_000)
    expect(changes.requests.length).toBeLessThanOrEqual(2 * (seconds + 1))
    expect(seconds).toBeGreaterThan(1)
    const made = changes.change()
    await until(() => {
      for (const reading of readings) expect(changed(reading)).toEqual([made.invoiceId])
    })
  })

  it('leaves no timer when the last stream is gone', async () => {
    await open()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    const before = timers().length
    const two = [await listening(), await listening()]
    expect(timers().length).toBeGreaterThan(before + 2)
    for (const reading of two) reading.leave()
    await until(() => expect(timers().length).toBeLessThanOrEqual(before))
    changes.requests.length = 0
    await pause(1_500)
    expect(changes.requests).toEqual([])
  })

  it('resumes from the last id without a gap, at any position', async () => {
    await open()
    const first = await listening()
    for (let count = 0; count < 30; count += 1) changes.change()
    await until(() => expect(changed(first)).toHaveLength(30))
    first.leave()
    for (let count = 0; count < 30; count += 1) changes.change()
    const all = changes.visible.map(({ invoiceId }) => invoiceId)
    const reported = first.events
    for (const place of [0, 1, 15, 29, 30]) {
      const known = reported.slice(0, place + 1)
      const again = await listening({ 'last-event-id': known.at(-1)!.id })
      expect(again.events[0]?.data.resumed).toBe(true)
      const ids = () =>
        new Set([...known.slice(1).map(({ data }) => data.invoiceId), ...changed(again)])
      await until(() => expect([...ids()].sort()).toEqual([...all].sort()))
      again.leave()
    }
  })

  it('replays more than one page, and says so when it was too much', async () => {
    await open()
    const start = Date.now() - 600_000
    const addChanges = (prefix: string, count: number, firstMs: number) => {
      for (let index = 0; index < count; index += 1) {
        const invoiceId = `${prefix}-${String(index).padStart(5, '0')}`
        const updatedAt = toMoment(firstMs + index)
        changes.visible.push({ invoiceId, invoiceNumber: 'F', status: 'SIGNED', updatedAt })
      }
    }
    addChanges('p', 2_500, start)
    const reading = await listening({ 'last-event-id': toMoment(start) })
    await until(() => expect(new Set(changed(reading)).size).toBe(2_500))
    const ids = reading.events.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort())

    addChanges('q', 10_000, start + 3_000)
    const overwhelmed = await listening({ 'last-event-id': toMoment(start) })
    await until(() =>
      expect(overwhelmed.events.at(-1)).toMatchObject({ name: 'ready', data: { resumed: false } }),
    )
  })

  it.each([
    ['x', false],
    ['2026-05-03T09:30:00.000Z', true],
    ['2026-05-03T08:30:00.000Z', true],
    ['2026-05-03T08:29:59.999Z', false],
    ['2026-05-03T10:30:00.000Z', true],
    ['2026-05-03T10:30:00.001Z', false],
    ['2026-13-03T09:30:00.000Z', false],
    ['2026-05-03T09:30:00.000Z\nevent: x', false],
    [undefined, false],
  ])('resumes from %s: %s', (id, resumed) => {
    expect(findResumePoint(id, '2026-05-03T09:30:00.000Z') !== undefined).toBe(resumed)
  })

  it('starts a new stream for an id it cannot resume from', async () => {
    await open()
    changes.change()
    const reading = await listening({ 'last-event-id': toMoment(Date.now() - 3_700_000) })
    expect(reading.events[0]?.data.resumed).toBe(false)
    await pause(1_200)
    expect(changed(reading)).toEqual([])
  })

  it('waits while the invoices service is unavailable, and misses nothing', async () => {
    await open()
    const early = await listening()
    changes.isUnavailable = true
    await until(() => expect(early.text()).toMatch(/\n: the invoices service is unavailable/))
    const { reading: late } = await read()
    await until(() => expect(late.text()).toMatch(/\n: the invoices service is unavailable/))
    expect(late.events).toEqual([])
    const made = changes.change()
    await pause(1_500)
    changes.isUnavailable = false
    await until(() => expect(changed(early)).toEqual([made.invoiceId]))
    await until(() => expect(late.events[0]?.name).toBe('ready'))
    const next = changes.change()
    await until(() => expect(changed(late)).toEqual([next.invoiceId]))
    expect(changed(early)).toEqual([made.invoiceId, next.invoiceId])
  })

  it('rejects one stream more than the limit, of that organization only', async () => {
    await open()
    const many = await Promise.all(Array.from({ length: limits.eventStreams }, () => listening()))
    const { reading: refused } = await read()
    await refused.closed
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30'])
    expect(JSON.parse(refused.text())).toMatchObject({
      code: 'TOO_MANY_STREAMS',
      message:
        'Your organization already has 20 event streams open. Close a page, or try again in 30 seconds.',
    })
    await listening({ 'x-organization': 'org-2' })
    many[0]?.leave()
    await until(async () => expect((await read()).reading.status).toBe(200))
  })

  it('rejects query parameters', async () => {
    await open()
    const { reading } = await read({}, '/events?since=1')
    await reading.closed
    expect(JSON.parse(reading.text())).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'since', message: 'is not a known parameter' }],
    })
  })

  it('sends comments, so that proxies do not close it', async () => {
    await open({ heartbeatMs: 50 })
    const reading = await listening()
    await until(() => expect(reading.text().match(/\n: \n\n/g)?.length).toBeGreaterThan(3))
  })

  it.each([
    ['SESSION_INVALID', true],
    ['SESSION_MISSING', true],
    ['SERVICE_UNAVAILABLE', false],
  ] as const)('when the session check fails with %s, the stream ends: %s', async (code, ends) => {
    await open({ heartbeatMs: 50 })
    const reading = await listening()
    let closed = false
    void reading.closed.then(() => (closed = true))
    authenticate.mockRejectedValue(new ApiError(code, 'no'))
    await (ends ? reading.closed : pause(400))
    expect(closed).toBe(ends)
    authenticate.mockResolvedValue(undefined)
    await (ends ? listening() : pause(100))
  })

  it('ends after its lifetime and at shutdown, despite pending events', async () => {
    await open({ lifetimeMs: 300 })
    const reading = await listening()
    await reading.closed
    expect(reading.text().endsWith('\n\n')).toBe(true)

    const last = await listening()
    events.close()
    await last.closed
    const { reading: late } = await read()
    await late.closed
    expect([late.status, late.text()]).toEqual([200, 'retry: 3000\n\n'])
  })

  it('disconnects only the client that reads nothing', async () => {
    await open({ patienceMs: 7_000 })
    const begun = once(server, 'request')
    const { reading: slow, response } = await read()
    const [, sent] = (await begun) as [unknown, ServerResponse]
    await until(() => expect(slow.events[0]?.name).toBe('ready'))
    response.pause()
    const quick = await listening()
    const openNow = promisify(server.getConnections.bind(server))
    expect(await openNow()).toBe(2)
    let made = 0
    for (let round = 0; round < 160 && (await openNow()) === 2; round += 1) {
      const count = sent.writableNeedDrain ? 0 : 400
      for (let at = 0; at < count; at += 1) changes.change({ invoiceNumber: 'F'.repeat(2_000) })
      made += count
      await pause(250)
    }
    expect(await openNow()).toBe(1)
    await until(() => expect(changed(quick).length).toBe(made))
  })
})

function eventsIn(text: string): Reading['events'] {
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = field('data')
    if (data === undefined) return []
    return [{ name: field('event') ?? '', id: field('id') ?? '', data: JSON.parse(data) }]
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(check: () => void | Promise<void>, withinMs = 30_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; ;) {
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    }
    await pause(20)
  }
}
