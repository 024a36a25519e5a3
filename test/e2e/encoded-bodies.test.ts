/**
 * Compressed bodies, valid and broken, cut at any byte: the answer is that of the same bytes in one
 * piece.
 */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { envelopeProblem } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom, type Random } from '../stack/random'
import { parseRaw, sendRaw } from '../stack/raw-http'

const atOnce = 16

onEveryOwnStack('compressed bodies', (stack, part) => {
  const rounds = 128 * part
  let organization: Organization
  const seed = drawSeed('encoded-bodies')
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  afterEach(async () => {
    expect((await organization.invoices.created()).status).toBe('SIGNED')
  })

  const toHead = (path: string, headers: string[]) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(stack().baseUrl).host}`,
      `Authorization: Bearer ${organization.key.key}`,
      'X-Requested-With: dashboard',
      'Content-Type: application/json',
      ...headers,
      '',
      '',
    ].join('\r\n')

  const toChunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

  /** Each piece a chunk of its own. */
  async function post(path: string, encoding: string, pieces: Buffer[], pauseMs = 0) {
    const head = toHead(path, [`Content-Encoding: ${encoding}`, 'Transfer-Encoding: chunked'])
    const filled = pieces.filter(({ length }) => length > 0)
    const chunks = [head, ...filled.map(toChunk), '0\r\n\r\n']
    const received = await sendRaw(stack().baseUrl, { chunks, pauseMs, timeoutMs: 10_000 })
    const answer = parseRaw(received)
    if (!answer) throw new Error('no answer')
    expect(envelopeProblem(answer.status, answer.type, answer.body)).toBeUndefined()
    const { code, errors } = JSON.parse(answer.body.toString())
    return { status: answer.status, code, errors }
  }

  const credentials = Buffer.from('{"email":"unknown@example.com","password":"wrong password"}')

  test.each([
    ['/dashboard/api/session', 'gzip'],
    ['/dashboard/api/session', 'x-gzip'],
    ['/dashboard/api/signup', 'gzip'],
    ['/dashboard/api/invitation', 'gzip'],
    ['/dashboard/api/invitation/read', 'gzip'],
    ['/v1/invoices', 'gzip'],
  ])('%s rejects zeros and text after the end of %s', async (path, encoding) => {
    const good = gzipSync(path === '/v1/invoices' ? JSON.stringify(anInvoice()) : credentials)
    const pieces = [Buffer.concat([good, Buffer.alloc(4)]), Buffer.alloc(64, 'A')]
    expect(await post(path, encoding, pieces, 300)).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'body', message: expect.any(String) }],
    })
    expect((await organization.invoices.list()).status).toBe(200)
  })

  test('with a length, over many packets', async () => {
    const body = Buffer.concat([
      gzipSync(credentials),
      Buffer.alloc(150_000),
      Buffer.alloc(150_000, 'A'),
    ])
    const head = toHead('/v1/invoices', [
      'Content-Encoding: gzip',
      `Content-Length: ${body.length}`,
    ])
    const chunks = [head, body.subarray(0, 100_000), body.subarray(100_000)]
    const received = await sendRaw(stack().baseUrl, { chunks, pauseMs: 100, timeoutMs: 10_000 })
    expect(parseRaw(received)?.status).toBe(400)
  })

  test('two complete gzip members are one body (RFC 1952, section 2.2)', async () => {
    const text = Buffer.from(JSON.stringify(anInvoice({ draft: true })))
    const members = [gzipSync(text.subarray(0, 20)), gzipSync(text.subarray(20))]
    expect((await post('/v1/invoices', 'gzip', members, 50)).status).toBe(201)
  })

  test(`${rounds} of them, cut anywhere, get the same answer as whole ones (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const wrong: string[] = []
    for (let at = 0; at < rounds; at += atOnce) {
      const requests = Array.from({ length: atOnce }, () => encodedBody(random))
      await Promise.all(
        requests.map(async ({ encoding, body, what }) => {
          const cut = random.int(0, body.length)
          const whole = await post('/v1/invoices', encoding, [body])
          const pieces = [body.subarray(0, cut), body.subarray(cut)]
          const cutUp = await post('/v1/invoices', encoding, pieces, random.pick([0, 0, 20]))
          // A valid body is accepted only once: then its number is used.
          const same = JSON.stringify(whole) === JSON.stringify(cutUp) || whole.status === 201
          if (!same)
            wrong.push(`${encoding} ${what} cut at ${cut}: ${JSON.stringify({ whole, cutUp })}`)
        }),
      )
    }
    expect(wrong.slice(0, 3)).toEqual([])
  }, 120_000)
})

const encoders = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
} as const

function encodedBody(random: Random) {
  const encoding = random.pick(['gzip', 'x-gzip', 'deflate', 'br'] as const)
  const good = encoders[encoding](JSON.stringify(anInvoice({ draft: true })))
  const what = random.pick(['good', 'twice', 'zeros', 'text', 'zeros and text', 'cut', 'flipped'])
  return { encoding, what, body: spoilt(good, what, random) }
}

function spoilt(good: Buffer, what: string, random: Random): Buffer {
  const zeros = Buffer.alloc(random.int(1, 8))
  const text = Buffer.alloc(random.int(1, 64), 'A')
  switch (what) {
    case 'twice':
      return Buffer.concat([good, good])
    case 'zeros':
      return Buffer.concat([good, zeros])
    case 'text':
      return Buffer.concat([good, text])
    case 'zeros and text':
      return Buffer.concat([good, zeros, text])
    case 'cut':
      return good.subarray(0, random.int(0, good.length - 1))
    case 'flipped': {
      const bytes = Buffer.from(good)
      const at = random.int(0, bytes.length - 1)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7))
      return bytes
    }
    default:
      return good
  }
}
