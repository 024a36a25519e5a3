import http, { type RequestListener, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { toApiKey, digestApiKey } from '@einvoicing/access/api-key'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Admission } from './admission'
import type { LimitOptions } from './measured-limit'
import { findSlot, releaseWhileWaiting } from './slot'
import type { Response as ExpressResponse } from 'express'
import { sendBytes, type Envelope } from '../envelope'

const roomy = { min: 4, max: 4, targetMs: 10_000 }

let admission: Admission
let server: http.Server
/** Requests being worked on. */
let held: ServerResponse[]

async function listen(limits: LimitOptions, listener: RequestListener, log = createLog('silent')) {
  admission = new Admission(log, limits)
  held = []
  server = http.createServer(admission.guard(listener)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
}
afterEach(() => {
  admission.close()
  server.closeAllConnections()
  server.close()
})

const hold: RequestListener = (_, response) => void held.push(response)
const answerAll = () => held.splice(0).forEach((response) => response.end())

function get(path = '/v1/invoices', headers: Record<string, string> = {}): Promise<Response> {
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}${path}`, { headers })
}

function open(): Socket {
  return connect((server.address() as AddressInfo).port, '127.0.0.1')
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))

async function untilHeld(count: number): Promise<void> {
  while (held.length < count) await pause()
}

/** As after a flood, however fast the machine is: the next rejections wait. */
const oweTime = () => (admission['pace']['savedMs'] = -1_000)

/** The answers to come; `roomy` has space for no more. */
async function fillSlots(): Promise<Promise<Response>[]> {
  const answers = Array.from({ length: roomy.max }, () => get())
  await untilHeld(roomy.max)
  return answers
}

test('up to the limit are processed; the next one is rejected at once, and when', async () => {
  await listen(roomy, hold)
  const accepted = await fillSlots()
  const refused = await get('/v1/invoices', { 'X-Request-Id': 'mine' })
  expect(refused.status).toBe(503)
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '1',
    'x-request-id': 'mine',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
  })
  const { code, message } = (await refused.json()) as Envelope
  expect([code, message]).toEqual([
    'SERVICE_UNAVAILABLE',
    expect.stringContaining('nothing was stored'),
  ])

  answerAll()
  await Promise.all(accepted)
  const next = get()
  await untilHeld(1)
  answerAll()
  expect((await next).status).toBe(200)
})

test('a connection stays open over rejections, and what is left of a rejected body is skipped', async () => {
  await listen(roomy, hold)
  const accepted = await fillSlots()
  const socket = open().setEncoding('utf8').setNoDelay(true)
  let received = ''
  socket.on('data', (text: string) => (received += text))
  const untilAnswers = async (count: number) => {
    while (received.split('"SERVICE_UNAVAILABLE"').length <= count) await pause()
  }
  const head = 'POST /v1/invoices HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n'
  for (let sent = 0; sent < 20; sent += 1) {
    socket.write(`${head}01234`)
    await untilAnswers(sent + 1)
    socket.write('56789')
  }
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(20).fill('HTTP/1.1 503'))
  expect(received).not.toMatch(/connection: close/i)
  // All sent ahead: answered in turn.
  socket.write(`${head}0123456789`.repeat(100))
  await untilAnswers(120)
  socket.destroy()
  answerAll()
  await Promise.all(accepted)
})

test('a waiting rejection is dropped when its request was answered otherwise or its client left', async () => {
  await listen(roomy, hold)
  const accepted = await fillSlots()
  const responses = new Map<string, ServerResponse>()
  server.on('request', ({ url = '' }, response: ServerResponse) => responses.set(url, response))
  oweTime()
  const begin = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n0123`
  const [answered, left] = [open().setEncoding('utf8'), open()]
  let received = ''
  answered.on('data', (text: string) => (received += text))
  answered.write(begin('/answered'))
  left.write(begin('/left'))
  while (responses.size < 2) await pause()
  const sent = [...responses.values()].map(({ headersSent }) => headersSent)
  expect(sent).toEqual([false, false])
  left.destroy()
  responses.get('/left')?.destroy()
  responses.get('/answered')?.writeHead(408).flushHeaders()
  // It waits behind the others.
  expect((await get()).status).toBe(503)
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408'])
  expect(received).not.toContain('SERVICE_UNAVAILABLE')
  answered.destroy()
  answerAll()
  await Promise.all(accepted)
})

test('an answer that is paced waits without a slot, and its connection stays open', async () => {
  let requested = 0
  await listen(roomy, (request, response) => {
    if (request.url !== '/limited') {
      held.push(response)
      return
    }
    requested += 1
    const answer = { status: 429, headers: {}, body: '{}' }
    findSlot(response)?.sendPaced(() => sendBytes(response as ExpressResponse, answer))
  })
  const socket = open().setEncoding('utf8')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  const head = 'POST /limited HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n'
  // At once, and over a connection that stays open though its body is still arriving.
  socket.write(`${head}0123`)
  while (!received.endsWith('{}')) await pause()
  socket.write('456789')

  oweTime()
  socket.write(`${head}0123`)
  while (requested < 2) await pause()
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429'])
  const accepted = await fillSlots()
  while (received.split('{}').length < 3) await pause()
  socket.write('456789')
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 429'])
  expect(received).not.toMatch(/connection: close/i)
  socket.destroy()
  answerAll()
  await Promise.all(accepted)
})

test('a full queue that rejects does not hide that an overload begins', async () => {
  const written = new PassThrough()
  await listen(roomy, hold, createLog('info', written))
  admission.countQueueRejection('passwords')
  const accepted = await fillSlots()
  await get()
  const [queue, requests] = String(written.read()).trim().split('\n')
  expect(JSON.parse(queue ?? '')).toMatchObject({
    msg: 'queue overloaded: rejecting requests',
    queue: 'passwords',
  })
  expect(JSON.parse(requests ?? '')).toMatchObject({
    msg: 'overloaded: rejecting requests',
    inFlight: roomy.max,
  })
  answerAll()
  await Promise.all(accepted)
})

test('requests of operators are never rejected', async () => {
  await listen(roomy, (request, response) => {
    if (request.url?.startsWith('/v1')) held.push(response)
    else response.end()
  })
  const accepted = await fillSlots()
  for (const path of ['/livez', '/servingz', '/readyz?full', '/metrics']) {
    expect((await get(path)).status).toBe(200)
  }
  expect((await get('/livezz')).status).toBe(503)
  answerAll()
  await Promise.all(accepted)
})

test('a client that is slow to send holds no slot, nor does a stream', async () => {
  let send: () => void = () => undefined
  const body = new Promise<void>((resolve) => (send = resolve))
  let sending = 0
  await listen(roomy, (request, response) => {
    if (request.url === '/stream') {
      findSlot(response)?.release()
      response.write(': \n\n')
    } else if (request.url === '/slow') {
      sending += 1
      void releaseWhileWaiting(response, () => body).then(() => held.push(response))
    } else held.push(response)
  })
  const streams = await Promise.all(Array.from({ length: 5 }, () => get('/stream')))
  const slow = Array.from({ length: 4 }, () => get('/slow'))
  // One that came after the quick ones would be rejected.
  while (sending < 4) await pause()
  const quick = Array.from({ length: 4 }, () => get())
  await untilHeld(4)
  expect((await get()).status).toBe(503)

  // Their bodies are here: they are worked on, and are not refused after all they sent.
  send()
  await untilHeld(8)
  expect((await get()).status).toBe(503)
  answerAll()
  for (const answer of await Promise.all([...slow, ...quick])) expect(answer.status).toBe(200)
  for (const stream of streams) await stream.body?.cancel()
})

test('an organization leaves slots for another one', async () => {
  await listen({ min: 10, max: 10, targetMs: 10_000 }, (request, response) => {
    try {
      findSlot(response)?.assign(String(request.headers['x-organization']))
      held.push(response)
    } catch {
      response.writeHead(503).end()
    }
  })
  const of = (organization: string) => get('/v1/invoices', { 'X-Organization': organization })
  // By the listener, or before it when the event loop is busy.
  let rejected = 0
  const greedy = Array.from({ length: 12 }, async () => {
    const { status } = await of('greedy')
    if (status === 503) rejected += 1
    return status
  })
  // One that came after the answers would be held for ever.
  while (rejected < 4) await pause()
  expect(held).toHaveLength(8)
  const small = of('small')
  await untilHeld(9)
  answerAll()
  expect((await small).status).toBe(200)
  const statuses = await Promise.all(greedy)
  expect(statuses.filter((status) => status === 503)).toHaveLength(4)
})

test('a known client without requests in progress is admitted before unknown clients', async () => {
  const key = toApiKey('1'.padStart(43, '0'))
  await listen(roomy, (request, response) => {
    if (request.headers.authorization) findSlot(response)?.assign('known', digestApiKey(key))
    held.push(response)
  })
  const known = () => get('/v1/invoices', { Authorization: `Bearer ${key}` })
  const first = known()
  await untilHeld(1)
  answerAll()
  await first

  const strangers = await fillSlots()
  expect((await get()).status).toBe(503)
  const letIn = known()
  await untilHeld(5)
  expect((await known()).status).toBe(503)
  answerAll()
  expect((await letIn).status).toBe(200)
  await Promise.all(strangers)
})

test('where answers are slow fewer are worked on, and more again when they are not', async () => {
  await listen({ min: 2, max: 100, targetMs: 50 }, (_, response) => {
    setTimeout(() => response.end(), 200)
  })
  const limit = async () => (await metrics.getSingleMetric(limitMetric)?.get())?.values[0]?.value
  const until = async (holds: (limit: number) => boolean) => {
    while (!holds((await limit()) ?? 0)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const statuses = new Set<number>()
  let isOver = false
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      statuses.add((await get()).status)
      await pause()
    }
  })
  await until((now) => now <= 20)
  while (!statuses.has(503)) await pause()
  isOver = true
  await Promise.all(clients)
  expect(statuses).toEqual(new Set([200, 503]))
  await until((now) => now === 100)
})

const limitMetric = 'einvoicing_requests_in_flight_limit'
