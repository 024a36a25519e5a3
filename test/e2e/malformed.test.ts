/** Random malformed requests: never a 5xx, never an answer outside the envelope. */

import { once } from 'node:events'
import net from 'node:net'
import { envelopeProblem } from '../stack/http'
import { aLine, anInvoice } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom, type Random } from '../stack/random'
import { parseRaw, sendRaw } from '../stack/raw-http'

const atOnce = 16

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

onEveryOwnStack('malformed requests', (stack, part) => {
  const [bodies, queries, paths, headers, sockets] = [600, 240, 240, 160, 160].map((count) =>
    Math.ceil(count * part),
  ) as [number, number, number, number, number]
  let organization: Organization
  const seed = drawSeed('malformed')
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  afterEach(async () => {
    const made = await organization.invoices.created()
    expect((await organization.invoices.decided(made.id)).status).toBe('ACCEPTED')
  })

  /** Undefined if the answer is correct. */
  async function complaint({
    method,
    path,
    headers = {},
    body,
  }: Sent): Promise<string | undefined> {
    const key = organization.key.key
    const answer = await fetch(stack().baseUrl + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { status } = answer
    if (status === 304) return undefined
    const problem = envelopeProblem(status, answer.headers.get('content-type') ?? '', bytes)
    return status >= 500 || problem
      ? `${status} ${problem ?? ''} ${bytes.toString().slice(0, 200)}`
      : undefined
  }

  async function expectAllAnswered(count: number, make: (random: Random) => Sent) {
    const random = seededRandom(seed)
    const complaints: string[] = []
    for (let at = 0; at < count; at += atOnce) {
      const sent = Array.from({ length: Math.min(atOnce, count - at) }, () => make(random))
      const found = await Promise.all(sent.map(complaint))
      found.forEach((problem, index) => {
        if (problem) complaints.push(`${problem} ← ${describeSent(sent[index]!)}`)
      })
    }
    expect(complaints.slice(0, 5)).toEqual([])
  }

  test(`${bodies} bodies (SEED=${seed})`, async () => {
    const draft = await organization.invoices.created({ draft: true })
    await expectAllAnswered(bodies, (random) => ({
      method: random.pick(['POST', 'POST', 'PUT']),
      path: '/v1/invoices',
      body: fuzzedBody(random),
      ...random.pick([{}, {}, { method: 'PUT', path: `/v1/invoices/${draft.id}` }]),
    }))
  })

  test(
    `${queries} queries (SEED=${seed})`,
    () =>
      expectAllAnswered(queries, (random) => ({
        method: 'GET',
        path: `/v1/invoices?${fuzzedQuery(random)}`,
      })),
    60_000,
  )

  test(
    `${paths} paths (SEED=${seed})`,
    () =>
      expectAllAnswered(paths, (random) => ({
        method: random.pick(['GET', 'PUT', 'DELETE', 'POST', 'PATCH', 'OPTIONS']),
        path: `/v1/invoices/${fuzzedPath(random)}`,
        headers: {},
      })),
    60_000,
  )

  test(
    `${headers} headers (SEED=${seed})`,
    () =>
      expectAllAnswered(headers, (random) => ({
        method: 'GET',
        path: '/v1/invoices?size=1',
        headers: fuzzedHeaders(random),
      })),
    60_000,
  )

  test(`${sockets} broken streams (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const complaints: string[] = []
    for (let at = 0; at < sockets; at += atOnce) {
      const sent = Array.from({ length: atOnce }, () => brokenStream(random, organization.key.key))
      const found = await Promise.all(
        sent.map((chunks) => sendRaw(stack().baseUrl, { chunks, end: true, timeoutMs: 500 })),
      )
      found.forEach((received, index) => {
        const answer = parseRaw(received)
        const problem =
          answer && envelopeProblem(answer.status, answer.type, answer.body) !== undefined
            ? 'no envelope'
            : (answer?.status ?? 0) >= 500 && 'a 5xx'
        if (problem) {
          complaints.push(
            `${problem}: ${received.toString().slice(0, 300)} ← ${sent[index]!.join('')}`,
          )
        }
      })
    }
    expect(complaints.slice(0, 3)).toEqual([])
  })

  test('hundreds of idle connections delay no other client', async () => {
    const { hostname, port } = new URL(stack().baseUrl)
    const silent = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = net.connect(Number(port), hostname)
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        socket.write('POST /v1/inv')
        return socket
      }),
    )
    expect((await organization.invoices.list()).status).toBe(200)
    expect(silent.filter(({ closed }) => closed)).toEqual([])
    silent.forEach((socket) => socket.destroy())
  })
})

const strangeValues: unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1e308,
  1e-320,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'null',
  '__proto__',
  'x'.repeat(10_000),
  "'; DROP TABLE invoice; --",
  '{{7*7}}',
  '2026-99-99',
  '-0001-01-01',
  '275760-09-13',
  [],
  [[[[]]]],
  {},
  { toString: 1, valueOf: null, length: -1 },
  { $gt: '' },
  { constructor: { prototype: {} } },
]

function fuzzedBody(random: Random): string | Buffer {
  const kind = random.int(0, 9)
  if (kind < 5) return JSON.stringify(withStrangeValue(random))
  const text = JSON.stringify(anInvoice({ lines: [aLine(), aLine({ lineNumber: 2 })] }))
  if (kind === 5) return text.slice(0, random.int(0, text.length - 1))
  if (kind === 6) return withRandomBytes(Buffer.from(text), random)
  if (kind === 7) return '['.repeat(random.int(1, 100_000))
  if (kind === 8) return `{"lines":${'{"a":'.repeat(random.int(1, 20_000))}`
  const digits = '9'.repeat(random.int(1, 5_000))
  return text.replace(
    '"quantity":2',
    `"quantity":${random.pick(['-', ''])}${digits}e${digits.slice(0, 5)}`,
  )
}

function withStrangeValue(random: Random): unknown {
  const body: any = anInvoice({ lines: [aLine(), aLine({ lineNumber: 2 })] })
  const target = random.pick([body, body.lines[0], body.lines, body.lines[1]])
  const names = [...Object.keys(target), 'toString', 'hasOwnProperty', '', '\u0000', 'draft', 'id']
  target[random.pick(names)] = random.pick(strangeValues)
  return random.int(0, 20) === 0 ? random.pick(strangeValues) : body
}

function withRandomBytes(bytes: Buffer, random: Random): Buffer {
  for (let count = random.int(1, 6); count > 0; count -= 1) {
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 255)
  }
  return bytes
}

const strangeTexts = [
  '',
  '%00',
  '%ff%fe',
  '%',
  '%zz',
  '%F0%9F%A7%BE',
  '[]',
  '[0]',
  '..%2f..%2f',
  '-1',
  'NaN',
  '1e9',
  '%27%20OR%201=1',
  'x'.repeat(3_000),
  '%0d%0aX:1',
  '__proto__',
  'constructor',
  'toString,asc',
]

function fuzzedQuery(random: Random): string {
  const names = [
    'status',
    'page',
    'size',
    'sort',
    'invoiceNumber',
    'buyerIce',
    'invoiceDateFrom',
    'x',
  ]
  const values = [...strangeTexts, '1', 'createdAt,desc', 'PENDING', '2026-01-01']
  const separators = ['&', '&', '&&', ';', '=', '&amp;', '?', '[]=']
  return Array.from(
    { length: random.int(0, 6) },
    () => `${random.pick([...names, ...strangeTexts])}=${random.pick(values)}`,
  ).join(random.pick(separators))
}

function fuzzedPath(random: Random): string {
  const parts = [
    ...strangeTexts,
    'pdf',
    'xml',
    'qr',
    'status',
    'sign',
    'resubmit',
    '.',
    '..',
    '//',
    ';a=b',
  ]
  const id = random.pick([crypto.randomUUID(), random.pick(parts), `${crypto.randomUUID()}%00`])
  return [id, ...Array.from({ length: random.int(0, 2) }, () => random.pick(parts))].join('/')
}

function fuzzedHeaders(random: Random): Record<string, string> {
  const names = [
    'Accept',
    'Accept-Encoding',
    'Authorization',
    'Content-Type',
    'Cookie',
    'Forwarded',
    'If-Modified-Since',
    'If-None-Match',
    'Range',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
    'X-Request-Id',
    'X-Requested-With',
  ]
  const values = [
    '',
    '*/*;q=x',
    'Bearer \u00e9\u00ff',
    'a'.repeat(8_000),
    'bytes=9-1,-',
    'W/"',
    '"""',
    '%00',
    'DELETE',
    '=;=;',
    'x=%zz; y="',
    'Thu, 99 Foo 2026',
    ',,,,',
    '127.0.0.1, unknown',
  ]
  return Object.fromEntries(
    Array.from({ length: random.int(1, 3) }, () => [random.pick(names), random.pick(values)]),
  )
}

function brokenStream(random: Random, key: string): (string | Buffer)[] {
  const body = JSON.stringify(anInvoice({ draft: true }))
  const whole = Buffer.from(
    [
      'POST /v1/invoices HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
  const kind = random.int(0, 4)
  if (kind === 0) return [whole.subarray(0, random.int(1, whole.length - 1))]
  if (kind === 1) return [withRandomBytes(whole, random)]
  if (kind === 2) return [whole, whole.subarray(0, random.int(1, whole.length - 1))]
  if (kind === 3)
    return [whole.toString().replaceAll('\r\n', random.pick(['\n', '\r', '\r\r\n', ' \r\n']))]
  return [Buffer.from(Array.from({ length: random.int(1, 600) }, () => random.int(0, 255)))]
}

function describeSent({ method, path, headers, body }: Sent): string {
  const shown = body?.toString().slice(0, 300) ?? ''
  return `${method} ${path} ${JSON.stringify(headers ?? {})} ${shown}`
}
