import { gzipSync } from 'node:zlib'
import { requestJson, envelopeProblem, send } from '../stack/http'
import { aLine, anInvoice } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { parseRaw, sendRaw } from '../stack/raw-http'

const bodyMax = 2 * 1024 * 1024

onEveryStack('the protocol', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const url = () => organization.invoices.url
  const key = () => organization.key.key

  test.each([
    '/',
    '/v1',
    '/v2/invoices',
    '/v1/invoicez',
    '/v1/invoices/x/y',
    '/v1/invoices/x/pdf/y',
  ])('%s is no route', async (path) => {
    const { status, code } = await requestJson('GET', stack().baseUrl + path, { key: key() })
    expect([status, code]).toEqual([404, 'NOT_FOUND'])
  })

  test.each([
    ['PATCH', '', ['GET', 'POST']],
    ['DELETE', '', ['GET', 'POST']],
    ['PUT', '', ['GET', 'POST']],
    ['POST', '/x', ['DELETE', 'GET', 'PUT']],
    ['PATCH', '/x', ['DELETE', 'GET', 'PUT']],
    ['POST', '/x/status', ['GET']],
    ['DELETE', '/x/pdf', ['GET']],
    ['PUT', '/x/xml', ['GET']],
    ['POST', '/x/qr', ['GET']],
    ['GET', '/x/sign', ['POST']],
    ['GET', '/x/resubmit', ['POST']],
  ])('%s /v1/invoices%s is not allowed, and Allow says what is', async (method, path, allowed) => {
    const answer = await requestJson(method, url() + path, { key: key() })
    expect([answer.status, answer.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    const allow = (answer.headers.get('allow') ?? '').split(/,\s*/)
    expect(allow.filter((name) => !['HEAD', 'OPTIONS'].includes(name)).sort()).toEqual(allowed)
  })

  test('a body of 2 MiB is read, one byte more is 413', async () => {
    const sized = (bytes: number) => {
      const text = JSON.stringify(anInvoice())
      return text + ' '.repeat(bytes - text.length)
    }
    expect((await organization.invoices.create(sized(bodyMax))).status).toBe(201)
    const { status, code } = await organization.invoices.create(sized(bodyMax + 1))
    expect([status, code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('2 MiB of the most expensive characters in 2,000 lines are signed', async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) =>
      aLine({ lineNumber: at + 1, description: '&'.repeat(512), unit: '<'.repeat(32) }),
    )
    const { status, data } = await organization.invoices.create(anInvoice({ lines }))
    expect(status).toBe(201)
    expect((await organization.invoices.artefact(data.id, 'xml')).status).toBe(200)
    const decided = await organization.invoices.decided(data.id, 400_000)
    expect([decided.status, decided.dgiErrorMessage]).toEqual(['ACCEPTED', null])
  }, 500_000)

  test('a chunked body past 2 MiB is rejected before it ends', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const head = requestHead('POST', '/v1/invoices', ['Transfer-Encoding: chunked'])
    const chunks = [head, ...Array<string>(40).fill(chunk)]
    const answer = parseRaw(await sendRaw(stack().baseUrl, { chunks }))
    expect(answer?.status).toBe(413)
    expect(JSON.parse(answer!.body.toString()).code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('an announced length past 2 MiB is rejected before the body arrives', async () => {
    const head = requestHead('POST', '/v1/invoices', ['Content-Length: 3000000'])
    const answer = parseRaw(await sendRaw(stack().baseUrl, { chunks: [head] }))
    expect(answer?.status).toBe(413)
  })

  test('a client that sends Expect: 100-continue gets 100', async () => {
    const body = JSON.stringify(anInvoice())
    const head = requestHead('POST', '/v1/invoices', [
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
    ])
    const received = await sendRaw(stack().baseUrl, { chunks: [head, body] })
    expect(received.toString()).toMatch(/^HTTP\/1\.1 100 /)
    expect(parseRaw(received)?.status).toBe(201)
  })

  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('%s is 415', async (type) => {
    const body = JSON.stringify(anInvoice())
    const answer = await organization.invoices.create(body, { headers: { 'Content-Type': type } })
    expect([answer.status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  ])('%s is read', async (type) => {
    const headers = { 'Content-Type': type }
    expect((await organization.invoices.create(anInvoice(), { headers })).status).toBe(201)
  })

  test('another charset is an error', async () => {
    const headers = { 'Content-Type': 'application/json; charset=iso-8859-1' }
    const answer = await organization.invoices.create(anInvoice(), { headers })
    expect([answer.status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('a compressed body is decoded within the limit, else an error', async () => {
    const headers = { 'Content-Encoding': 'gzip' }
    const small = await organization.invoices.create(gzipSync(JSON.stringify(anInvoice())), {
      headers,
    })
    expect([201, 415]).toContain(small.status)
    const bomb = gzipSync(JSON.stringify(anInvoice()) + ' '.repeat(50 * bodyMax))
    const rejected = await organization.invoices.create(bomb, { headers })
    expect([413, 415]).toContain(rejected.status)
    const broken = await organization.invoices.create('no gzip', { headers })
    expect([400, 415]).toContain(broken.status)
    const unknown = await organization.invoices.create('x', {
      headers: { 'Content-Encoding': 'compress, rot13' },
    })
    expect(unknown.status).toBe(415)
  })

  test('every answer has a request id, the client’s own if valid', async () => {
    const { headers } = await organization.invoices.list()
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
    const own = await requestJson('GET', url(), {
      key: key(),
      headers: { 'X-Request-Id': 'order-42' },
    })
    expect(own.headers.get('x-request-id')).toBe('order-42')
    for (const odd of ['x'.repeat(300), 'a b"c', '<script>']) {
      const answer = await requestJson('GET', url(), {
        key: key(),
        headers: { 'X-Request-Id': odd },
      })
      expect(answer.headers.get('x-request-id')).not.toBe(odd)
    }
    for (const path of ['/nowhere', '/v1/invoices']) {
      const rejected = await requestJson('GET', stack().baseUrl + path)
      expect(rejected.headers.get('x-request-id')).toBeTruthy()
    }
  })

  test('no header names the software', async () => {
    const { headers } = await organization.invoices.list()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('answers to API keys are not stored in shared caches', async () => {
    const { headers } = await organization.invoices.list()
    expect(headers.get('cache-control')).toMatch(/no-store|private/)
  })

  test('headers past the limit are 431 in the envelope', async () => {
    const head = requestHead('GET', '/v1/invoices', [`X-Long: ${'x'.repeat(40_000)}`])
    const answer = parseRaw(await sendRaw(stack().baseUrl, { chunks: [head] }))
    expect(answer?.status).toBe(431)
    expect(envelopeProblem(431, answer!.type, answer!.body)).toBeUndefined()
  })

  test.each([
    ['no HTTP', 'HELLO\r\n\r\n'],
    ['a broken header', 'GET /v1/invoices HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/invoices HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a broken chunk',
      'POST /v1/invoices HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['an unknown method', 'BREW /v1/invoices HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET /v1/invoices HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /v1/invoices HTTP/1.1\r\n\r\n'],
    ['a malformed escape', 'GET /v1/invoices/%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL', 'GET /v1/invoices/\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    [
      'an upgrade',
      'GET /v1/invoices HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
  ])('%s is answered in the envelope', async (_, text) => {
    const received = await sendRaw(stack().baseUrl, { chunks: [Buffer.from(text, 'latin1')] })
    const answer = parseRaw(received)
    expect(answer && envelopeProblem(answer.status, answer.type, answer.body)).toBeUndefined()
    expect(answer?.status).toBeGreaterThanOrEqual(400)
    expect(answer?.status).toBeLessThan(500)
  })

  test('two requests in one packet are two answers, in order', async () => {
    const one = requestHead('GET', '/v1/invoices?size=1', [])
    const last = requestHead('GET', '/v1/invoices?size=0', ['Connection: close'])
    const received = await sendRaw(stack().baseUrl, {
      chunks: [one + last],
      untilClosed: true,
    })
    expect(received.toString().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  test('HEAD answers as GET does, without a body', async () => {
    const head = await send('HEAD', url(), { key: key() })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })

  test('health and metrics', async () => {
    for (const path of ['/livez', '/servingz', '/readyz']) {
      const { status, headers } = await send('GET', stack().baseUrl + path)
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('json')])
    }
    const ready = (await send('GET', `${stack().baseUrl}/readyz`)).bytes.toString()
    const metrics = await send('GET', `${stack().baseUrl}/metrics`)
    // An attached stack may have an operations port, which shows them in place of the public one.
    if (process.env['STACK_URL'] && metrics.status === 404) {
      expect(JSON.parse(ready).data).toEqual({ status: 'ready' })
      return
    }
    for (const part of ['organizations', 'invoices', 'signer', 'artefacts']) {
      expect(ready).toContain(part)
    }
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = metrics.bytes.toString()
    expect(text).toMatch(/^# TYPE /m)
    expect(text).not.toContain(key().slice(7, 40))
    expect(text).not.toContain(organization.id)
  })

  test('the public contract is served', async () => {
    const { status, bytes } = await send('GET', `${stack().baseUrl}/openapi.json`)
    expect(status).toBe(200)
    const contract = JSON.parse(bytes.toString())
    expect(contract.openapi).toMatch(/^3\./)
    const paths = ['', '/{id}', '/{id}/status', '/{id}/pdf', '/{id}/xml', '/{id}/qr', '/{id}/sign']
    expect(Object.keys(contract.paths)).toEqual(
      expect.arrayContaining(paths.map((path) => `/v1/invoices${path}`)),
    )
  })

  function requestHead(method: string, path: string, headers: string[]): string {
    const all = [
      `Host: ${new URL(stack().baseUrl).host}`,
      `Authorization: Bearer ${key()}`,
      'Content-Type: application/json',
      ...headers,
    ]
    return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`
  }
})
