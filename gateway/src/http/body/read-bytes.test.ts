import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { envelopeIn, openForTest } from '../../testdata/open-gateway'
import { apiKey } from '../../testdata/small-services'
import type { Gateway } from '../../service'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openForTest()
})
afterAll(() => gateway.close())

// The one account route that a stranger may call and that answers without counting.
const path = '/dashboard/api/session'
const text = JSON.stringify({ email: 'a@example.com', password: 'right password' })

/** One chunk of the protocol for each piece, each written by itself. */
async function post(encoding: string, pieces: readonly Buffer[], pauseMs: number) {
  const socket = net.connect({ port: gateway.port, host: '127.0.0.1', noDelay: true })
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => undefined)
  const headers = [
    'Host: x',
    'X-Requested-With: dashboard',
    'Content-Type: application/json',
    `Content-Encoding: ${encoding}`,
    'Transfer-Encoding: chunked',
    'Connection: close',
  ]
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  for (const piece of pieces.filter(({ length }) => length > 0)) {
    socket.write(`${piece.length.toString(16)}\r\n`)
    socket.write(piece)
    socket.write('\r\n')
    await delay(pauseMs)
  }
  socket.write('0\r\n\r\n')
  await closed
  const raw = Buffer.concat(received).toString('latin1')
  const { code, errors } = envelopeIn(raw)
  return { status: Number(raw.slice(9, 12)), code, errors }
}

const refused = (message: string) => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  errors: [{ field: 'body', message }],
})
const taken = { status: 200, code: 'OK', errors: null }
const broken = refused('does not decode by its Content-Encoding')
const trailing = refused('has bytes after the end of its compressed data: send none')

const gzip = gzipSync(text)
const zeros = Buffer.alloc(4)
const letters = Buffer.alloc(8, 'A')
const halves = [gzipSync(text.slice(0, 20)), gzipSync(text.slice(20))]

describe('a compressed body, cut into two at each of its bytes, is answered as in one piece', () => {
  it.each([
    ['gzip', 'whole', [gzip], taken],
    ['x-gzip', 'whole', [gzip], taken],
    ['deflate', 'whole', [deflateSync(text)], taken],
    ['br', 'whole', [brotliCompressSync(text)], taken],
    // RFC 1952, section 2.2: a file is a series of members.
    ['gzip', 'in two members', halves, taken],
    ['gzip', 'then zeros', [gzip, zeros], trailing],
    ['gzip', 'then letters', [gzip, letters], broken],
    ['gzip', 'then zeros and letters', [gzip, zeros, letters], trailing],
    ['gzip', 'then half a member', [...halves, gzip.subarray(0, 9)], broken],
    ['gzip', 'in two members with zeros between', [halves[0]!, zeros, halves[1]!], trailing],
    ['gzip', 'without its last byte', [gzip.subarray(0, -1)], broken],
    ['deflate', 'then zeros', [deflateSync(text), zeros], trailing],
    ['deflate', 'then letters', [deflateSync(text), letters], trailing],
    ['deflate', 'twice', [deflateSync(text), deflateSync(text)], trailing],
    ['deflate', 'without its last byte', [deflateSync(text).subarray(0, -1)], broken],
    ['br', 'then zeros', [brotliCompressSync(text), zeros], trailing],
    ['br', 'then letters', [brotliCompressSync(text), letters], trailing],
    ['br', 'without its last byte', [brotliCompressSync(text).subarray(0, -1)], broken],
  ])('%s %s', async (encoding, _, parts, expected) => {
    const body = Buffer.concat(parts)
    const cuts = Array.from({ length: body.length + 1 }, (_each, cut) => cut)
    const answers = await Promise.all(
      cuts.map((cut) =>
        // Pieces that come at once may be read as one; some come late.
        post(encoding, [body.subarray(0, cut), body.subarray(cut)], cut % 4 === 0 ? 30 : 0),
      ),
    )
    const others = cuts.flatMap((cut) =>
      JSON.stringify(answers[cut]) === JSON.stringify(expected) ? [] : [{ cut, ...answers[cut] }],
    )
    expect(others.map((other) => JSON.stringify(other).slice(0, 300))).toEqual([])
  })

  it('reads a body that arrives byte by byte', async () => {
    const bytes = Array.from(gzip, (byte) => Buffer.from([byte]))
    expect(await post('gzip', bytes, 0)).toEqual(taken)
    const more = Array.from(Buffer.concat([zeros, letters]), (byte) => Buffer.from([byte]))
    expect(await post('gzip', [...bytes, ...more], 0)).toEqual(trailing)
  })
})

describe('the body of an account call', () => {
  const sized = (bytes: number) => text.padEnd(bytes)
  const signIn = async (body: string | Buffer, headers = {}) => {
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'X-Requested-With': 'dashboard', 'Content-Type': 'application/json', ...headers },
      body,
    })
    return { status: answer.status, code: ((await answer.json()) as { code: string }).code }
  }
  const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE' }

  it('may have 16 KiB and not one byte more, before and after decoding', async () => {
    const max = 16 * 1024
    const encoded = { 'Content-Encoding': 'gzip' }
    expect(await signIn(sized(max))).toEqual({ status: 200, code: 'OK' })
    expect(await signIn(sized(max + 1))).toEqual(tooLarge)
    expect(await signIn(gzipSync(sized(max)), encoded)).toEqual({ status: 200, code: 'OK' })
    expect(await signIn(gzipSync(sized(max + 1)), encoded)).toEqual(tooLarge)
    const chunks = { status: 413, code: 'PAYLOAD_TOO_LARGE', errors: null }
    expect(await post('identity', [Buffer.from(sized(max)), Buffer.from(' ')], 0)).toEqual(chunks)
  })

  it.each([
    ['POST', '/session'],
    ['POST', '/signup'],
    ['POST', '/invitation'],
    ['POST', '/invitation/read'],
  ])('is bounded at %s %s', async (method, route) => {
    const answer = await fetch(`${gateway.url}/dashboard/api${route}`, {
      method,
      headers: { 'X-Requested-With': 'dashboard', 'Content-Type': 'application/json' },
      body: sized(16 * 1024 + 1),
    })
    expect(answer.status).toBe(413)
  })
})

test('the largest body that still arrives is rejected when its client has filled its half', async () => {
  const small = await openForTest({ BODY_MEMORY_MIB: '8' })
  const bytes = 2 * 1024 * 1024
  const begun = `POST /v1/invoices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  const sockets = Array.from({ length: 3 }, () => net.connect(small.port, '127.0.0.1'))
  const answer = Promise.race(sockets.map((socket) => once(socket, 'data')))
  for (const socket of sockets) socket.write(begun + ' '.repeat(bytes - 1))
  const raw = String((await answer)[0])
  expect(raw).toMatch(/^HTTP\/1.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\r\nConnection: close\r\n/)
  expect(envelopeIn(raw)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('Too many request bodies'),
  })
  for (const socket of sockets) socket.destroy()
  await small.close()
})
