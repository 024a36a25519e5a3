import { once } from 'node:events'
import net from 'node:net'
import {
  envelopeIn,
  openForTest,
  postInvoice,
  simpleInvoice,
  speak,
} from '../../testdata/open-gateway'
import { apiKey, smallInvoices } from '../../testdata/small-services'
import type { Gateway } from '../../service'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openForTest()
})
afterAll(() => gateway.close())

const head = (line: string, ...headers: string[]): string =>
  [line, 'Host: x', `Authorization: Bearer ${apiKey}`, ...headers, '', ''].join('\r\n')
const close = 'Connection: close'

describe('requests that are not HTTP', () => {
  it.each([
    ['bytes', ['\u0000\u0001\r\n\r\n'], 400, 'BAD_REQUEST'],
    ['an unknown method', ['NONSENSE / HTTP/1.1\r\n\r\n'], 400, 'BAD_REQUEST'],
    ['HTTP/2 without asking', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], 400, 'BAD_REQUEST'],
    ['no host', ['GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'], 400, 'BAD_REQUEST'],
    [
      'two lengths',
      [head('POST /v1/invoices HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2')],
      400,
      'BAD_REQUEST',
    ],
    [
      'a length and chunks',
      [head('POST /v1/invoices HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked')],
      400,
      'BAD_REQUEST',
    ],
    ['a header with a line feed', [head('GET /livez HTTP/1.1', 'X: a\nb c')], 400, 'BAD_REQUEST'],
    [
      'headers past 16 KiB',
      [head('GET /livez HTTP/1.1', `X: ${'a'.repeat(17_000)}`)],
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a path past 16 KiB', [head(`GET /${'a'.repeat(17_000)} HTTP/1.1`)], 431, 'HEADERS_TOO_LARGE'],
    [
      'CONNECT',
      ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['TRACE', [head('TRACE /v1/invoices HTTP/1.1', close)], 405, 'METHOD_NOT_ALLOWED'],
    ['a target that is no path', [head('OPTIONS * HTTP/1.1', close)], 404, 'NOT_FOUND'],
    ['a target that is a broken URL', [head('GET http://[x/ HTTP/1.1', close)], 404, 'NOT_FOUND'],
    [
      'a broken chunk',
      [
        head(
          'POST /v1/invoices HTTP/1.1',
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        ),
        'zz\r\n',
      ],
      400,
      'BAD_REQUEST',
    ],
  ])('gets the envelope: %s', async (_, parts, status, code) => {
    const raw = await speak(gateway, ...parts)
    expect(raw).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(raw).toMatch(/\r\nX-Request-Id: /i)
    expect(envelopeIn(raw)).toMatchObject({ code, data: null })
  })

  it('is answered after the good request before it', async () => {
    const raw = await speak(gateway, `${head('GET /livez HTTP/1.1')}NONSENSE\r\n\r\n`)
    expect(raw.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('is answered after the good request before it when it is CONNECT, and a reset then affects no other client', async () => {
    const connect = 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n'
    const raw = await speak(gateway, head('GET /livez HTTP/1.1') + connect)
    expect(raw.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405'])
    for (const first of [head('GET /livez HTTP/1.1', 'Host: y'), head('GET /livez HTTP/1.1')]) {
      const socket = net.connect(gateway.port, '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(first + connect)
      await once(socket, 'data')
      socket.resetAndDestroy()
    }
    expect((await postInvoice(gateway, simpleInvoice)).status).toBe(201)
  })

  it('serves HTTP/1.0 and an absolute target, and ignores an Upgrade', async () => {
    for (const request of [
      'GET /livez HTTP/1.0\r\n\r\n',
      head('GET http://example.com/livez HTTP/1.1', close),
      head('GET /livez HTTP/1.1', 'Connection: upgrade, close', 'Upgrade: websocket'),
    ]) {
      expect(await speak(gateway, request)).toMatch(/^HTTP\/1.1 200 /)
    }
  })
})

describe('a body', () => {
  const jsonType = 'Content-Type: application/json'

  it('a chunked body over the limit is rejected before it ends, and the answer arrives complete', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const socket = net.connect(gateway.port, '127.0.0.1')
    let raw = ''
    let sentAfterAnswer = 0
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => (raw += bytes.toString()))
    socket.write(head('POST /v1/invoices HTTP/1.1', jsonType, 'Transfer-Encoding: chunked'))
    while (!socket.destroyed) {
      // Never ends the body: the server has to.
      if (socket.writable) socket.write(chunk)
      if (raw.includes('}')) sentAfterAnswer += 1
      await new Promise((resolve) => setImmediate(resolve))
      if (sentAfterAnswer > 5) socket.end()
    }
    expect(raw).toMatch(/^HTTP\/1.1 413 /)
    expect(envelopeIn(raw).code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('declared over the limit is rejected before it is sent', async () => {
    const socket = net.connect(gateway.port, '127.0.0.1')
    socket.write(
      head(
        'POST /v1/invoices HTTP/1.1',
        jsonType,
        'Content-Length: 99999999',
        'Expect: 100-continue',
      ),
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 [^]*\r\nConnection: close\r\n/)
    socket.end()
    await once(socket, 'close')
  })

  it('is requested with 100 Continue once the key is known, and not before', async () => {
    const body = JSON.stringify(simpleInvoice)
    const expecting = (key: string) =>
      `POST /v1/invoices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${jsonType}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`
    const raw = await speak(gateway, expecting(apiKey), body)
    expect(raw.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201'])
    const socket = net.connect(gateway.port, '127.0.0.1')
    socket.write(expecting('wrong'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /)
    socket.end()
  })

  it('an unread body does not become the next request', async () => {
    const smuggled = head('GET /livez HTTP/1.1')
    const raw = await speak(
      gateway,
      head('DELETE /v1/invoices HTTP/1.1', `Content-Length: ${smuggled.length}`) + smuggled,
      head('GET /readyz HTTP/1.1', close),
    )
    expect(raw.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 200'])
    expect(raw).toContain('"ready"')
  })

  it('a request cut by its client affects no other', async () => {
    const socket = net.connect(gateway.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(head('POST /v1/invoices HTTP/1.1', jsonType, 'Content-Length: 100') + '{"a"')
    socket.resetAndDestroy()
    expect((await postInvoice(gateway, simpleInvoice)).status).toBe(201)
  })
})

describe('stopping', () => {
  it('lets the request in flight end, says it is the last, and accepts no more', async () => {
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let began: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (began = resolve))
    const small = smallInvoices()
    const stopping = await openForTest(
      {},
      {
        invoices: {
          ...small,
          createInvoice: async (request, call) => {
            began()
            await held
            return small.createInvoice(request, call)
          },
        },
      },
    )
    const answer = postInvoice(stopping, simpleInvoice)
    await begun
    const closed = stopping.close()
    await expect(fetch(`${stopping.url}/livez`)).rejects.toThrow()
    letGo()
    const { status, headers } = await answer
    expect([status, headers.get('connection')]).toEqual([201, 'close'])
    await closed
  })

  it.each(['/readyz', '/servingz'])(
    'answers a request already sent on an idle connection: %s with 503',
    async (path) => {
      const stopping = await openForTest()
      const socket = net.connect(stopping.port, '127.0.0.1')
      socket.write(head('GET /livez HTTP/1.1'))
      await once(socket, 'data')
      const closed = stopping.close()
      socket.write(head(`GET ${path} HTTP/1.1`))
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n/)
      await Promise.all([closed, once(socket, 'close')])
    },
  )

  it('does not carry out a request whose answer could not be sent', async () => {
    const small = smallInvoices()
    const createInvoice = jest.fn(small.createInvoice)
    const stopping = await openForTest({}, { invoices: { ...small, createInvoice } })
    const socket = net.connect({ port: stopping.port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    socket.resume().on('error', () => undefined)
    const closed = stopping.close()
    await once(socket, 'end')
    const body = JSON.stringify(simpleInvoice)
    const type = 'Content-Type: application/json'
    socket.end(head('POST /v1/invoices HTTP/1.1', type, `Content-Length: ${body.length}`) + body)
    await Promise.all([closed, once(socket, 'close')])
    expect(createInvoice).not.toHaveBeenCalled()
  })

  it('does not wait for an idle connection', async () => {
    const stopping = await openForTest()
    const socket = net.connect(stopping.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.resume()
    await Promise.all([stopping.close(), once(socket, 'close')])
  })
})

describe('listening', () => {
  it('says in one sentence that the port is taken', async () => {
    await expect(openForTest({ PORT: String(gateway.port) })).rejects.toThrow(
      `Port ${gateway.port} on 127.0.0.1 is in use by another process: stop it, or set PORT to another port.`,
    )
  })

  it('says in one sentence that the host is not an address of this machine', async () => {
    await expect(openForTest({ HOST: '192.0.2.1' })).rejects.toThrow(
      /^192.0.2.1 is not an address of this machine/,
    )
  })
})
