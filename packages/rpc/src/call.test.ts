/** A service joined locally and one behind a real gRPC server on loopback must answer alike. */

import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { type SignDocumentRequest, SignerService } from '@einvoicing/proto/signer'
import { eventually } from '@einvoicing/servers/eventually'
import * as grpc from '@grpc/grpc-js'
import { service as healthService } from 'grpc-health-check'
import jwt from 'jsonwebtoken'
import { rpcMessageBytes } from './message-size'
import { type Log, createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError, type ApiErrorDetails } from '@einvoicing/domain/api-error'
import { type Call, type Service, joinLocally, nextCall } from './call'
import { connectRpc } from './client'
import { type RpcServer, serveRpc } from './server'

type Signer = Service<typeof SignerService>

const callerSecret = 'the secret all services share'
const document = { xml: Buffer.from('<Invoice/>'), sha256: 'ab', signedAt: '2026-01-31T10:00:00Z' }
const request: SignDocumentRequest = { invoice: undefined }

const call = (overrides: Partial<Call> = {}): Call => ({
  caller: { service: 'invoices', organizationId: 'org-1', actor: 'api-key:k-1' },
  requestId: 'r-1',
  deadline: Date.now() + 10_000,
  ...overrides,
})

const signer = (signDocument: Signer['signDocument']): Signer => ({
  signDocument,
  getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
  checkSigner: async () => ({ dependencies: [] }),
})

let opened: { close(): Promise<void> | void }[] = []
let logged: string
let log: Log

beforeEach(() => {
  logged = ''
  const stream = new PassThrough()
  stream.on('data', (line: Buffer) => (logged += line.toString()))
  log = createLog('info', stream)
})

afterEach(async () => {
  await Promise.all(opened.map(async (part) => part.close()))
  opened = []
})

async function serve(handlers: Signer, port = 0): Promise<RpcServer> {
  const server = await serveRpc(SignerService, handlers, {
    name: 'signer',
    address: `127.0.0.1:${port}`,
    callerSecrets: { shared: [callerSecret] },
    log,
  })
  opened.push(server)
  return server
}

function connect(port: number, secret = callerSecret): Signer {
  const client = connectRpc(SignerService, {
    address: `127.0.0.1:${port}`,
    callerSecrets: { shared: [secret] },
  })
  opened.push(client)
  return client.service
}

const locally = async (handlers: Signer) => joinLocally('signer', handlers)
const byWire = async (handlers: Signer) => connect((await serve(handlers)).port)

const refused = (attempt: Promise<unknown>): Promise<ApiError> =>
  attempt.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) =>
      error instanceof ApiError
        ? error
        : Promise.reject(new Error('not an ApiError', { cause: error })),
  )

test('a server allows a call a minute, and no more', async () => {
  const seen: number[] = []
  const service = await byWire(
    signer(async (_request, { deadline }) => {
      seen.push(deadline)
      return document
    }),
  )
  const sentAt = Date.now()
  for (const ms of [50_000, 3_600_000]) {
    await service.signDocument(request, call({ deadline: sentAt + ms }))
  }
  const [whole = 0, cut = 0] = seen.map((deadline) => deadline - sentAt)
  expect(whole).toBeGreaterThanOrEqual(50_000 - 10)
  expect(whole).toBeLessThan(55_000)
  expect(cut).toBeGreaterThanOrEqual(60_000 - 10)
  expect(cut).toBeLessThan(65_000)
})

describe.each([
  ['joined locally', locally],
  ['by wire', byWire],
])('a service %s', (_, join) => {
  test('gets the request and its caller, and its answer arrives', async () => {
    let seen: Call | undefined
    const service = await join(
      signer(async (_request, received) => {
        seen = received
        return document
      }),
    )

    const sent = call()
    expect(await service.signDocument(request, sent)).toEqual(document)
    expect(seen).toMatchObject({ caller: sent.caller, requestId: 'r-1' })
    // By wire it is sent as the time that is left, so it is later by the way there.
    expect(seen!.deadline).toBeGreaterThanOrEqual(sent.deadline - 10)
    expect(seen!.deadline).toBeLessThan(sent.deadline + 5_000)
  })

  test('transports a whole error: code, message in any script, field errors, Retry-After', async () => {
    const details: ApiErrorDetails = {
      fieldErrors: [{ field: 'lines[2].vatRate', message: 'doit être 0, 7, 10, 14 ou 20 — ٪ 🧾' }],
      retryAfterSeconds: 7,
    }
    const message = 'La facture «é» est refusée : فاتورة\r\n'
    const service = await join(
      signer(() => Promise.reject(new ApiError('VALIDATION_ERROR', message, details))),
    )

    const apiError = await refused(service.signDocument(request, call()))
    expect(apiError).toMatchObject({ code: 'VALIDATION_ERROR', message, ...details })
  })

  test('that does not answer before the deadline is not available', async () => {
    const service = await join(signer(() => new Promise(() => undefined)))
    const apiError = await refused(
      service.signDocument(request, call({ deadline: Date.now() + 50 })),
    )
    expect(apiError).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
    expect(apiError.message).toContain('may or may not have been carried out')
    expect(apiError.message).not.toContain('nothing was stored')
    expect(apiError.cause).toBeInstanceOf(Error)
  })

  test('a call after its deadline is SERVICE_UNAVAILABLE too', async () => {
    const service = await join(signer(() => new Promise(() => undefined)))
    const late = service.signDocument(request, call({ deadline: Date.now() - 1 }))
    expect((await refused(late)).code).toBe('SERVICE_UNAVAILABLE')
  })

  test('transports a document of 20 MiB', async () => {
    const xml = Buffer.alloc(20 * 1024 * 1024, '<')
    const service = await join(signer(async () => ({ ...document, xml })))
    const answer = await service.signDocument(request, call())
    expect(answer.xml.equals(xml)).toBe(true)
  })
})

describe('a defect', () => {
  test('is returned without its text and logged whole', async () => {
    const service = await byWire(
      signer(() => Promise.reject(new Error('pin 1234 was wrong', { cause: new Error('slot 3') }))),
    )

    const error = await service.signDocument(request, call()).catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(ApiError)
    expect(String(error)).toContain('/einvoicing.Signer/SignDocument')
    expect(String(error)).not.toContain('1234')
    expect(logged).toContain('signer.signDocument')
    expect(logged).toContain('pin 1234 was wrong')
    expect(logged).toContain('slot 3')
  })

  test('that is thrown before the first await is answered too', async () => {
    const service = await byWire(
      signer(() => {
        throw new TypeError('not a function')
      }),
    )
    await expect(service.signDocument(request, call())).rejects.not.toBeInstanceOf(ApiError)
  })

  test('a message over the limit, in either direction', async () => {
    const xml = Buffer.alloc(rpcMessageBytes)
    const service = await byWire(signer(async () => ({ ...document, xml })))
    const error = await service.signDocument(request, call()).catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(ApiError)
    expect(String(error)).toContain('larger than')
  })
})

describe('an error too large for a trailer', () => {
  test('still has its code, its message and the first field errors', async () => {
    const problems = Array.from({ length: 1_000 }, (_, index) => ({
      field: `lines[${index}].quantity`,
      message: 'must be positive',
    }))
    const service = await byWire(
      signer(() =>
        Promise.reject(
          new ApiError('VALIDATION_ERROR', 'Correct the fields.', { fieldErrors: problems }),
        ),
      ),
    )
    const apiError = await refused(service.signDocument(request, call()))
    expect(apiError.message).toBe('Correct the fields.')
    expect(apiError.fieldErrors!.length).toBeGreaterThan(10)
    expect(apiError.fieldErrors).toEqual(problems.slice(0, apiError.fieldErrors!.length))
  })

  test('still has its code when the message itself is large', async () => {
    const service = await byWire(
      signer(() => Promise.reject(new ApiError('NOT_FOUND', `é${'x'.repeat(1_000_000)}`))),
    )
    const apiError = await refused(service.signDocument(request, call()))
    expect(apiError.code).toBe('NOT_FOUND')
    expect(apiError.message).toMatch(/^éx+$/)
  })
})

describe('the endpoint', () => {
  async function knock(token: string | undefined): Promise<grpc.ServiceError | null> {
    const { port } = await serve(signer(async () => document))
    const channel = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure())
    opened.push(channel)
    const { path, requestSerialize, responseDeserialize } = SignerService.signDocument
    const metadata = new grpc.Metadata()
    if (token !== undefined) metadata.set('caller', token)
    return new Promise((resolve) =>
      channel.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        (error) => resolve(error),
      ),
    )
  }

  const token = (options: jwt.SignOptions, secret = callerSecret) =>
    jwt.sign({ act: 'service:invoices' }, secret, {
      issuer: 'invoices',
      expiresIn: 60,
      ...options,
    })

  test('opens to an admitted service', async () => {
    expect(await knock(token({}))).toBeNull()
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['forged', token({}, 'another secret')],
    ['unsigned', jwt.sign({ act: 'x', iss: 'invoices' }, '', { algorithm: 'none' })],
    ['of a service not admitted', token({ issuer: 'gateway' })],
  ])('rejects a token that is %s', async (_, badToken) => {
    const error = await knock(badToken)
    expect(error).toMatchObject({
      code: grpc.status.PERMISSION_DENIED,
      details: 'CALLER_REFUSED',
    })
  })

  test('asks to retry when the clocks differ, and logs by how much', async () => {
    const late = token({ expiresIn: -31 })
    expect(await knock(late)).toMatchObject({ details: 'SERVICE_UNAVAILABLE' })
    expect(logged).toMatch(
      /a caller token from invoices was issued \d+ s behind the clock of this machine/,
    )
  })

  test('rejects our own client with another secret, by its code', async () => {
    const { port } = await serve(signer(async () => document))
    const apiError = await refused(connect(port, 'another').signDocument(request, call()))
    expect(apiError.code).toBe('CALLER_REFUSED')
  })
})

describe('at the end', () => {
  test('a call in progress is answered, a new one is rejected', async () => {
    const moments = new EventEmitter()
    const begun = once(moments, 'begun')
    const server = await serve(
      signer(async () => {
        moments.emit('begun')
        await once(moments, 'release')
        return document
      }),
    )
    const inFlight = connect(server.port).signDocument(request, call())
    await begun

    const closed = server.close()
    const apiError = await refused(connect(server.port).signDocument(request, call()))
    expect(apiError.code).toBe('SERVICE_UNAVAILABLE')
    moments.emit('release')
    expect(await inFlight).toEqual(document)
    await closed
  })

  test('a stopped service is unavailable', async () => {
    const server = await serve(signer(async () => document))
    const service = connect(server.port)
    await service.signDocument(request, call())
    await server.close()
    const apiError = await refused(service.signDocument(request, call()))
    expect(apiError).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
  })

  test('a service that is back is used again', async () => {
    const first = await serve(signer(async () => document))
    const service = connect(first.port)
    await service.signDocument(request, call())
    await first.close()
    await refused(service.signDocument(request, call()))

    await serve(
      signer(async () => document),
      first.port,
    )
    await eventually(() => service.signDocument(request, call()))
  })

  test('health watchers get SERVING, then NOT_SERVING', async () => {
    const server = await serve(signer(async () => document))
    const channel = new (grpc.makeGenericClientConstructor(healthService, 'Health'))(
      `127.0.0.1:${server.port}`,
      grpc.credentials.createInsecure(),
    )
    opened.push(channel)
    const watch = (
      channel as unknown as {
        watch(request: object): grpc.ClientReadableStream<{ status: string }>
      }
    ).watch({ service: '' })
    watch.on('error', () => undefined) // our own cancelling, below
    const [before] = (await once(watch, 'data')) as [{ status: string }]
    const after = once(watch, 'data')
    const closed = server.close()

    expect(before.status).toBe('SERVING')
    expect(await after).toEqual([{ status: 'NOT_SERVING' }])
    watch.cancel()
    await closed
  })
})

test('both ends count a call by its status; the caller also counts unanswered calls', async () => {
  const countLines = async (pattern: RegExp) =>
    (await metrics.metrics()).match(pattern)?.length ?? 0
  metrics.resetMetrics()
  const server = await serve(
    signer(() => Promise.reject(new ApiError('SERVICE_UNAVAILABLE', 'The key is unavailable.'))),
  )
  const service = connect(server.port)
  await service.checkSigner({}, call())
  await refused(service.signDocument(request, call()))
  const one = 'grpc_service="einvoicing.Signer",grpc_method'
  for (const end of ['server', 'client']) {
    const count = `^grpc_${end}_handling_seconds_count\\{${one}`
    expect(await countLines(new RegExp(`${count}="CheckSigner",grpc_code="OK"\\} 1$`, 'm'))).toBe(1)
    expect(
      await countLines(new RegExp(`${count}="SignDocument",grpc_code="UNAVAILABLE"\\} 1$`, 'm')),
    ).toBe(1)
  }
  await server.close()
  await service.signDocument(request, call({ deadline: Date.now() + 500 })).catch(() => undefined)
  expect(await countLines(/^grpc_server_handling_seconds_count\{.*"SignDocument".*\} 1$/gm)).toBe(1)
  expect(
    await countLines(/^grpc_client_.*_count\{.*(UNAVAILABLE"\} 2|DEADLINE_EXCEEDED"\} 1)$/gm),
  ).toBe(1)
})

describe('a call made for another call', () => {
  test('speaks for the same organization and actor, in its own name', () => {
    const deadline = Date.now() + 5_000
    expect(nextCall(call({ deadline }), 'clearance', 60_000)).toEqual({
      caller: { service: 'clearance', organizationId: 'org-1', actor: 'api-key:k-1' },
      requestId: 'r-1',
      deadline,
    })
  })

  test('never waits longer than its limits', () => {
    const deadline = Date.now() + 5_000
    expect(nextCall(call({ deadline }), 'invoices', 60_000).deadline).toBe(deadline)
    expect(nextCall(call({ deadline }), 'invoices', 10).deadline).toBeLessThan(deadline)
  })
})
