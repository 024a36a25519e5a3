import fc from 'fast-check'
import { openForTest, speak } from './testdata/open-gateway'
import { apiKey } from './testdata/small-services'
import type { Gateway } from './service'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openForTest({ RATE_LIMIT_PER_MINUTE: '100000' })
})
afterAll(() => gateway.close())

const answer =
  /^HTTP\/1\.1 ([234]\d\d) [^]*\r\n\r\n(?:\{"code":"[A-Z_]+","message":".*"errors":(?:null|\[.*\])\}$)/

/** `/v/CODE` and what is below it: for people, who get a page. */
const documentPath = /^(?:http:\/\/[^/]*)?\/v\/[^/?#]+(?:\/(?:xml|proof|pdf))?\/?(?:[?#]|$)/
const page =
  /^HTTP\/1\.1 ([234]\d\d) [^]*\r\nContent-Type: text\/html; charset=utf-8\r\n[^]*<\/html>\s*$/

/** A code that cannot be decoded is a page for every method. */
const either = new RegExp(`${page.source}|${answer.source}`)
const examples = ['v/!', 'v/%zz', 'v/!/pdf', 'v/!?a', 'v/', 'V/!', 'v/a/b'].flatMap((rest) =>
  ['GET', 'POST'].map((method): [string, [string, string]] => [method, ['/', rest]]),
)

// Latin-1 without CR and LF, which would begin another line; the rest of a line's bytes are all
// tried.
const lineByte = fc
  .integer({ min: 0x00, max: 0xff })
  .filter((byte) => byte !== 0x0a && byte !== 0x0d)
const line = fc.array(lineByte, { maxLength: 60 }).map((bytes) => Buffer.from(bytes))
const path = fc.tuple(
  fc.constantFrom(
    '/',
    '/v1/invoices',
    '/v1/invoices/',
    '/v1/invoices?',
    '/v1/invoices?sort=',
    '/dashboard/api/',
    'http://',
  ),
  fc.stringMatching(/^[!-~]{0,30}$/),
)

it('whatever the path and query, the answer has the envelope, or is a page, and is never a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
      path,
      async (method, [start, rest]) => {
        const raw = await speak(
          gateway,
          `${method} ${start}${rest} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`,
        )
        const isDocument = documentPath.test(`${start}${rest}`)
        expect(raw).toMatch(isDocument ? (method === 'GET' ? page : either) : answer)
      },
    ),
    { numRuns: 200, examples },
  )
})

it('whatever the header, the answer has the envelope and is never a 5xx', async () => {
  const names = [
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Content-Length',
    'Transfer-Encoding',
    'Expect',
    'X-Request-Id',
    'If-None-Match',
    'Cookie',
    'Host',
    'Upgrade',
    'Connection',
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), line, async (name, value) => {
      const raw = await speak(
        gateway,
        `POST /v1/invoices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n${name}: `,
        value,
        '\r\n\r\n',
      )
      expect(raw.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(answer)
    }),
    { numRuns: 200 },
  )
})

it('whatever the body, the answer has the envelope and is never a 5xx', async () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
  )
  const encoding = fc.constantFrom('identity', 'gzip', 'deflate', 'br')
  await fc.assert(
    fc.asyncProperty(body, encoding, async (bytes, contentEncoding) => {
      const raw = await speak(
        gateway,
        `POST /v1/invoices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Encoding: ${contentEncoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
        bytes,
      )
      expect(raw).toMatch(answer)
    }),
    { numRuns: 200 },
  )
})
