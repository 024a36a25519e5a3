/**
 * Requests that two servers could read differently (RFC 9112, sections 3.2, 6.1 and 11.2) are
 * rejected in the envelope, and nothing after them on the connection is carried out.
 */

import { envelopeProblem } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { parseRaw, sendRaw } from '../stack/raw-http'

const securityHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]

const chunked = 'Transfer-Encoding: chunked'
const noBody = '0\r\n\r\n'

onEveryStack('ambiguous requests', (stack) => {
  let organization: Organization
  let expected: Record<string, string | undefined>
  beforeAll(async () => {
    organization = await newOrganization(stack())
    const { headers } = await fetch(`${stack().baseUrl}/livez`)
    expected = Object.fromEntries(
      securityHeaders.map((name) => [name, headers.get(name) ?? undefined]),
    )
    expect(Object.values(expected)).not.toContain(undefined)
  })

  const host = () => `Host: ${new URL(stack().baseUrl).host}`
  const post = (headers: readonly string[], version = '1.1') =>
    [
      `POST /v1/invoices HTTP/${version}`,
      `Authorization: Bearer ${organization.key.key}`,
      'Content-Type: application/json',
      ...headers,
      '',
      '',
    ].join('\r\n')

  async function readRejection(chunks: readonly (string | Buffer)[]) {
    const received = await sendRaw(stack().baseUrl, { chunks })
    const answer = parseRaw(received)
    if (!answer) throw new Error(`no answer: ${received.toString('latin1')}`)
    expect(envelopeProblem(answer.status, answer.type, answer.body)).toBeUndefined()
    const held = securityHeaders.map((name) => [
      name,
      new RegExp(`^${name}: (.*)$`, 'im').exec(answer.headers)?.[1],
    ])
    expect(Object.fromEntries(held)).toEqual(expected)
    expect(answer.headers).toMatch(/^x-request-id: \S+$/im)
    return { ...answer, answers: received.toString('latin1').match(/HTTP\/1\.1 \d{3}/g) }
  }

  test.each<[string, (invoice: string) => string]>([
    [
      'Transfer-Encoding: identity, chunked',
      () => post([host(), 'Transfer-Encoding: identity, chunked']) + noBody,
    ],
    [
      'Transfer-Encoding: gzip, chunked',
      () => post([host(), 'Transfer-Encoding: gzip, chunked']) + noBody,
    ],
    ['two Transfer-Encodings', () => post([host(), 'Transfer-Encoding: gzip', chunked]) + noBody],
    ['chunked twice', () => post([host(), chunked, chunked]) + noBody],
    ['chunked with a parameter', () => post([host(), 'Transfer-Encoding: chunked;q=1']) + noBody],
    ['identity', () => post([host(), 'Transfer-Encoding: identity'])],
    ['chunks in HTTP/1.0', () => post([host(), chunked], '1.0') + noBody],
    ['two Host headers', () => post([host(), 'Host: other.example', 'Content-Length: 0'])],
    ['two equal Host headers', () => post([host(), host(), 'Content-Length: 0'])],
    ['no Host', () => post(['Content-Length: 0'])],
    ['an empty Host', () => post(['Host:', 'Content-Length: 0'])],
    ['a Host with a path', () => post(['Host: a.example/b', 'Content-Length: 0'])],
    ['a Host with a user', () => post(['Host: a@b.example', 'Content-Length: 0'])],
    ['a Host with a blank', () => post(['Host: a b', 'Content-Length: 0'])],
    ['a Host with a bad port', () => post(['Host: a.example:8o', 'Content-Length: 0'])],
    ['two lengths', () => post([host(), 'Content-Length: 0', 'Content-Length: 5'])],
    ['two equal lengths', () => post([host(), 'Content-Length: 0', 'Content-Length: 0'])],
    ['a list of lengths', () => post([host(), 'Content-Length: 0, 0'])],
    ['a length and chunks', () => post([host(), 'Content-Length: 5', chunked]) + noBody],
    ['chunks and a length', () => post([host(), chunked, 'Content-Length: 5']) + noBody],
    ['a folded header', () => post([host(), 'X-Long: a', ' b', 'Content-Length: 0'])],
    ['a blank before a colon', () => post([host(), 'Content-Length : 0'])],
    ['a chunk size that is no number', () => `${post([host(), chunked])}0x5\r\n{"a":\r\n${noBody}`],
    ['a chunk that ends in LF', () => `${post([host(), chunked])}2\n{}\n0\n\n`],
  ])('%s', async (_, request) => {
    const invoice = JSON.stringify(anInvoice({ draft: true }))
    const next = post([host(), `Content-Length: ${Buffer.byteLength(invoice)}`]) + invoice
    const { status, headers, answers } = await readRejection([request(invoice) + next])
    expect([400, 501]).toContain(status)
    expect(headers).toMatch(/^connection: close$/im)
    expect(answers).toHaveLength(1)
    const { invoiceNumber } = JSON.parse(invoice) as { invoiceNumber: string }
    const found = await organization.invoices.list(`invoiceNumber=${invoiceNumber}`)
    expect(found.data).toMatchObject({ totalElements: 0 })
  })

  test.each([
    ['one endless chunk extension', [`1;${'a'.repeat(20_000)}\r\n{\r\n`]],
    [
      'a long extension at each of many chunks',
      Array<string>(100).fill(`1;${'a'.repeat(15_000)}\r\n \r\n`),
    ],
    ['trailers past 16 KiB', [`2\r\n{}\r\n0\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`]],
  ])('%s', async (_, chunks) => {
    const { status, headers } = await readRejection([post([host(), chunked]), ...chunks])
    expect([400, 413, 431]).toContain(status)
    expect(headers).toMatch(/^connection: close$/im)
  })

  test('a body in chunks of one byte is read', async () => {
    const bytes = Array.from(Buffer.from(JSON.stringify(anInvoice({ draft: true }))), (byte) =>
      Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]),
    )
    const chunks = [post([host(), chunked]), Buffer.concat(bytes), noBody]
    expect(parseRaw(await sendRaw(stack().baseUrl, { chunks }))?.status).toBe(201)
  })

  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    [
      'headers past 16 KiB',
      `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
    ],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', 405],
    ['no key', 'GET /v1/invoices HTTP/1.1\r\nHost: x\r\n\r\n', 401],
    ['an unknown path', 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['an unknown method', 'PATCH /livez HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('the headers of every answer are on %s', async (_, request, status) => {
    expect((await readRejection([request])).status).toBe(status)
  })
})
