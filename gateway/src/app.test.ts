import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import { ApiError } from '@einvoicing/domain/api-error'
import { fetchFrom, openForTest, postInvoice, simpleInvoice } from './testdata/open-gateway'
import { apiKey, smallInvoices } from './testdata/small-services'
import type { Gateway } from './service'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openForTest({ RATE_LIMIT_PER_MINUTE: '100000' })
})
afterAll(() => gateway.close())

const json = { 'Content-Type': 'application/json' }
const created = async (body: object = simpleInvoice) =>
  (await postInvoice(gateway, body)).body.data as { id: string }

describe('creation', () => {
  it('answers 201 with the invoice and its Location', async () => {
    const { status, headers, body } = await postInvoice(gateway, simpleInvoice)
    expect(status).toBe(201)
    expect(body).toMatchObject({ code: 'OK', errors: null })
    expect(body.data).toMatchObject({
      status: 'SIGNED',
      issuerIce: '001234567000089',
      issuerName: 'Atlas Conseil',
      amountHt: 100,
      amountVat: 20,
      amountTtc: 120,
      buyerIce: null,
      dgiReference: null,
      dgiQrCode: null,
      lines: [{ lineNumber: 1, quantity: 1, unitPrice: 100, vatRate: 20, unit: null }],
    })
    for (const later of ['dgiQrPayload', 'dgiSubmittedAt', 'dgiErrorCode', 'dgiErrorMessage']) {
      expect(body.data).not.toHaveProperty(later)
    }
    const { id } = body.data as { id: string }
    expect(headers.get('location')).toBe(`/v1/invoices/${id}`)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('ratelimit-policy')).toBe('"default";q=100000;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
  })

  it('reports every error at once', async () => {
    const { status, body } = await postInvoice(gateway, { buyerIce: '1', lines: [{}] })
    expect(status).toBe(400)
    expect(body.code).toBe('VALIDATION_ERROR')
    expect(body.data).toBeNull()
    expect(body.errors?.map(({ field }) => field).sort()).toEqual(
      [
        'buyerIce',
        'currency',
        'invoiceDate',
        'invoiceNumber',
        'lines[0].description',
        'lines[0].lineNumber',
        'lines[0].quantity',
        'lines[0].unitPrice',
        'lines[0].vatRate',
        'paymentMethod',
      ].sort(),
    )
  })

  it('answers a defect 500 without its text', async () => {
    const { status, body } = await postInvoice(gateway, {
      ...simpleInvoice,
      invoiceNumber: 'DEFECT',
    })
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR', data: null, errors: null })
    expect(JSON.stringify(body)).not.toContain('secret detail')
  })

  it('answers 503 without its text when a service does not accept our token', async () => {
    const createInvoice = () =>
      Promise.reject(new ApiError('CALLER_REFUSED', 'The caller token was rejected.'))
    const refused = await openForTest({}, { invoices: { ...smallInvoices(), createInvoice } })
    const { status, headers, body } = await postInvoice(refused, simpleInvoice)
    expect([status, body.code, headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '5',
    ])
    expect(body.message).toMatch(/may or may not/)
    expect(body.message).not.toMatch(/token/)
    await refused.close()
  })

  it('answers 503 with Retry-After when the invoices service is unavailable', async () => {
    const away = await openForTest(
      {},
      {
        invoices: {
          ...smallInvoices(),
          createInvoice: async () => {
            throw new ApiError('SERVICE_UNAVAILABLE', 'Away.', { retryAfterSeconds: 5 })
          },
        },
      },
    )
    const { status, headers, body } = await postInvoice(away, simpleInvoice)
    expect([status, body.code, headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '5',
    ])
    await away.close()
  })
})

describe('the body on the wire', () => {
  const text = JSON.stringify(simpleInvoice)
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('is decoded from %s', async (encoding, body) => {
    const headers = { ...json, 'Content-Encoding': encoding }
    const { status } = await fetchFrom(gateway, '/v1/invoices', { method: 'POST', headers, body })
    expect(status).toBe(201)
  })

  it.each([
    ['an unknown encoding', { 'Content-Encoding': 'zstd' }, text, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['two encodings', { 'Content-Encoding': 'gzip, br' }, text, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['broken gzip', { 'Content-Encoding': 'gzip' }, text, 400, 'VALIDATION_ERROR'],
    [
      'a gzip bomb',
      { 'Content-Encoding': 'gzip' },
      gzipSync(Buffer.alloc(8 << 20, 0x20)),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'cut gzip',
      { 'Content-Encoding': 'gzip' },
      gzipSync(text).subarray(0, 40),
      400,
      'VALIDATION_ERROR',
    ],
    ['another type', { 'Content-Type': 'text/plain' }, text, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'another charset',
      { 'Content-Type': 'application/json; charset=latin1' },
      text,
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['bytes that are not UTF-8', {}, Buffer.from([0x7b, 0xff, 0x7d]), 400, 'VALIDATION_ERROR'],
    ['nothing', {}, '', 400, 'VALIDATION_ERROR'],
    ['an array', {}, '[]', 400, 'VALIDATION_ERROR'],
    ['null', {}, 'null', 400, 'VALIDATION_ERROR'],
    ['broken JSON', {}, '{"a":}', 400, 'VALIDATION_ERROR'],
    ['half a million arrays in each other', {}, '['.repeat(500_000), 400, 'VALIDATION_ERROR'],
    ['2 MiB and a byte', {}, ' '.repeat((2 << 20) + 1), 413, 'PAYLOAD_TOO_LARGE'],
  ])('is rejected when it is %s', async (_, headers, body, status, code) => {
    const answer = await fetchFrom(gateway, '/v1/invoices', {
      method: 'POST',
      headers: { ...json, ...headers },
      body,
    })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('may be exactly 2 MiB', async () => {
    const { status } = await postInvoice(gateway, text.padEnd(2 << 20))
    expect(status).toBe(201)
  })
})

describe('the caller', () => {
  const withoutKey: Record<string, string> = {}
  it.each([
    ['nothing', withoutKey, 'API_KEY_MISSING'],
    ['another scheme', { Authorization: 'Basic YTpi' }, 'API_KEY_MISSING'],
    ['no key', { Authorization: 'Bearer' }, 'API_KEY_MISSING'],
    ['two words', { Authorization: `Bearer ${apiKey} x` }, 'API_KEY_MISSING'],
    ['no key of ours', { Authorization: 'Bearer abc' }, 'API_KEY_INVALID'],
    ['a mistyped key', { Authorization: `Bearer ${apiKey.slice(0, -1)}x` }, 'API_KEY_INVALID'],
  ])('gets 401 for %s, before path and body are checked', async (_name, headers, code) => {
    for (const path of ['/v1/invoices', '/v1/nowhere', '/v1/invoices/%zz']) {
      const response = await fetch(gateway.url + path, { method: 'POST', headers, body: '{' })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code })
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
    }
  })

  it('may write "bearer" in any case', async () => {
    const { status } = await fetchFrom(gateway, '/v1/invoices', {
      headers: { Authorization: `bEARER  ${apiKey}` },
    })
    expect(status).toBe(200)
  })

  it('may make exactly as many requests as the limit', async () => {
    const limited = await openForTest({ RATE_LIMIT_PER_MINUTE: '3' })
    const answers = []
    for (let i = 0; i < 4; i += 1) answers.push(await fetchFrom(limited, '/v1/nowhere'))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429])
    const [last] = answers.slice(-1)
    expect(last?.body.code).toBe('API_KEY_RATE_LIMITED')
    expect(last?.headers.get('retry-after')).toMatch(/^(60|[1-5]?\d)$/)
    expect(last?.headers.get('ratelimit')).toMatch(/^"default";r=0;t=/)
    await limited.close()
  })
})

describe('paths and methods', () => {
  it.each([
    ['GET', '/', 404, 'NOT_FOUND'],
    ['GET', '/v1', 404, 'NOT_FOUND'],
    ['GET', '/v1/invoices/x', 404, 'INVOICE_NOT_FOUND'],
    ['GET', '/v1/invoices/%zz', 404, 'INVOICE_NOT_FOUND'],
    ['GET', '/v1/invoices/%00/status', 404, 'INVOICE_NOT_FOUND'],
    ['GET', '/v1/invoices/11111111-1111-4111-8111-111111111111/pdf', 404, 'INVOICE_NOT_FOUND'],
    ['GET', '/%zz', 404, 'NOT_FOUND'],
    ['GET', '/dashboard/none', 404, 'NOT_FOUND'],
    ['PATCH', '/v1/invoices', 405, 'METHOD_NOT_ALLOWED'],
    ['OPTIONS', '/v1/invoices', 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', '/v1/invoices', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/v1/invoices/x/pdf', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/v1/invoices/x/sign', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/livez', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s %s is %i', async (method, path, status, code) => {
    const answer = await fetchFrom(gateway, path, { method })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.headers.has('allow')).toBe(status === 405)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('HEAD answers as GET without a body', async () => {
    const headers = { Authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${gateway.url}/v1/invoices`, { method: 'HEAD', headers })
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(50)
    expect(await response.text()).toBe('')
  })

  it('lists a page, and rejects an unknown query parameter', async () => {
    const { body } = await fetchFrom(gateway, '/v1/invoices?size=1')
    expect(body.data).toMatchObject({ page: 0, size: 1, first: true })
    const refused = await fetchFrom(gateway, '/v1/invoices?statu=SIGNED&size=101&size=1')
    expect(refused.body.errors?.map(({ field }) => field)).toEqual(['statu', 'size'])
  })
})

describe('PUT', () => {
  const put = (id: string, body: object) =>
    fetchFrom(gateway, `/v1/invoices/${id}`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify(body),
    })

  it('checks in the order 404, 409, 400', async () => {
    const draft = await created({ ...simpleInvoice, draft: true })
    const signed = await created()
    const unknown = draft.id.replace(/.$/, (digit) => (digit === 'f' ? 'e' : 'f'))
    const codes = []
    for (const id of ['x', unknown, signed.id, draft.id]) {
      codes.push((await put(id, { nonsense: 1 })).body.code)
    }
    expect(codes).toEqual([
      'INVOICE_NOT_FOUND',
      'INVOICE_NOT_FOUND',
      'INVOICE_NOT_EDITABLE',
      'VALIDATION_ERROR',
    ])
    expect((await put(draft.id, { buyerName: 'Client' })).body.data).toMatchObject({
      buyerName: 'Client',
      dgiErrorCode: null,
    })
  })
})

describe('a credit note of an invoice', () => {
  it('is rejected in the order 404, 400', async () => {
    const { id } = await created()
    const unknown = id.replace(/.$/, (digit) => (digit === 'f' ? 'e' : 'f'))
    for (const body of ['{"nonsense":1}', '', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const codes = []
      for (const invoiceId of ['x', unknown, id]) {
        const path = `/v1/invoices/${invoiceId}/credit-note`
        codes.push(
          (await fetchFrom(gateway, path, { method: 'POST', headers: json, body })).body.code,
        )
      }
      expect(codes).toEqual(['INVOICE_NOT_FOUND', 'INVOICE_NOT_FOUND', 'VALIDATION_ERROR'])
    }
  })
})

describe('sign, resubmit, DELETE', () => {
  it('answer 200 with the whole invoice and need no body', async () => {
    const { id } = await created({ ...simpleInvoice, draft: true })
    for (const [method, path] of [
      ['POST', `/v1/invoices/${id}/sign`],
      ['POST', `/v1/invoices/${id}/resubmit`],
      ['DELETE', `/v1/invoices/${id.toUpperCase()}`],
    ] as const) {
      const { status, body } = await fetchFrom(gateway, path, { method })
      expect([status, (body.data as { id: string }).id]).toEqual([200, id])
    }
  })
})

describe('If-Match', () => {
  it.each([
    ['PUT', ''],
    ['POST', '/sign'],
    ['DELETE', ''],
  ])('of %s …%s is checked in the order 404, 409, 400', async (method, rest) => {
    const send = async (id: string) => {
      const headers = { ...json, 'If-Match': 'x' }
      const body = method === 'PUT' ? '{}' : null
      const url = `/v1/invoices/${id}${rest}`
      const answer = await fetchFrom(gateway, url, { method, headers, body })
      return [answer.status, answer.body.errors?.[0]?.field]
    }
    const { id: signed } = await created()
    const { id: draft } = await created({ ...simpleInvoice, draft: true })
    expect(await send('00000000-0000-4000-8000-999999999999')).toEqual([404, undefined])
    expect(await send(signed)).toEqual([409, undefined])
    expect(await send(draft)).toEqual([400, 'If-Match'])
  })
})

describe('artefacts', () => {
  it('are sent with an ETag, and not again when unchanged', async () => {
    const { id } = await created({ ...simpleInvoice, invoiceNumber: 'F/2026-é"1' })
    const headers = { Authorization: `Bearer ${apiKey}` }
    const first = await fetch(`${gateway.url}/v1/invoices/${id}/xml`, { headers })
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/xml')
    expect(first.headers.get('content-disposition')).toBe(
      `attachment; filename="F-2026-?-1.xml"; filename*=UTF-8''F-2026-%C3%A9-1.xml`,
    )
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    const again = await fetch(`${gateway.url}/v1/invoices/${id}/xml`, {
      headers: { ...headers, 'If-None-Match': `"x", W/${etag}` },
    })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  })

  it('missing ones are 409', async () => {
    const { id } = await created()
    const { status, body } = await fetchFrom(gateway, `/v1/invoices/${id}/qr`)
    expect([status, body.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
  })
})

describe('the request id', () => {
  it.each([
    ['abc.DEF_1-2', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['a b', false],
  ])('of the client, %s, is used: %s', async (requestId, taken) => {
    const { headers } = await fetchFrom(gateway, '/livez', {
      headers: { 'X-Request-Id': requestId },
    })
    expect(headers.get('x-request-id') === requestId).toBe(taken)
  })
})
