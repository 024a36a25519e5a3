import { PassThrough } from 'node:stream'
import * as grpc from '@grpc/grpc-js'
import { ApiError } from '@einvoicing/domain/api-error'
import {
  BatchesService,
  type AnswerBatch,
  type BatchedAnswer,
  type BatchedCall,
  type CallBatch,
} from '@einvoicing/proto/batches'
import { Invoice, InvoiceContent } from '@einvoicing/proto/invoice'
import { InvoicesService, type CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { SignerService } from '@einvoicing/proto/signer'
import { createLog } from '@einvoicing/runtime/log'
import { openTracing, readTraceparent } from '@einvoicing/runtime/trace'
import type { Call, Contract, Service } from '../call'
import { signCallerTokens, type Caller } from '../caller'
import { callerKeys, type CallerSecrets } from '../caller-secrets'
import { connectRpc } from '../client'
import { itemsMax } from '../message-size'
import { serveRpc } from '../server'

const callerSecrets: CallerSecrets = { shared: ['a secret that all services share'] }
const { createInvoice } = InvoicesService

let opened: { close(): Promise<void> | void }[] = []
afterEach(async () => {
  for (const part of opened.reverse()) await part.close()
  opened = []
})

const caller: Caller = { service: 'gateway', organizationId: 'org-1', actor: 'api-key:key-1' }
const createCall = (changes: Partial<Call> = {}): Call => {
  return { caller, requestId: 'r', deadline: Date.now() + 5_000, ...changes }
}
const requestWith = (invoiceNumber: string): CreateInvoiceRequest => {
  const content = { ...InvoiceContent.decode(new Uint8Array()), invoiceNumber }
  return { issuer: undefined, content, draft: false }
}
const readNumber = ({ content }: CreateInvoiceRequest) => content?.invoiceNumber ?? ''

/** Answers with the number as the id, once `answer` is called for it; others at once. */
class Invoices {
  readonly calls: (Call & { invoiceNumber: string })[] = []
  readonly held = new Set<string>()
  private readonly answers = new Map<string, () => void>()

  answer(invoiceNumber: string): void {
    this.answers.get(invoiceNumber)?.()
  }

  async serve(contract: Contract = InvoicesService): Promise<string> {
    const served = { createInvoice: this.create } as unknown as Service<Contract>
    const log = createLog('info', new PassThrough())
    const options = { name: 'invoices', address: '127.0.0.1:0', callerSecrets, log } as const
    const server = await serveRpc(contract, served, options)
    opened.push(server)
    return `127.0.0.1:${server.port}`
  }

  private readonly create = async (request: CreateInvoiceRequest, call: Call): Promise<Invoice> => {
    const invoiceNumber = readNumber(request)
    this.calls.push({ ...call, invoiceNumber })
    if (this.held.has(invoiceNumber)) {
      await new Promise<void>((resolve) => this.answers.set(invoiceNumber, resolve))
    }
    if (invoiceNumber === 'wrong') {
      const fieldErrors = Array.from({ length: 500 }, (_, at) => {
        return { field: `lines[${at}].quantity`, code: 'REQUIRED', message: 'Give a quantity.' }
      })
      throw new ApiError('VALIDATION_ERROR', 'Correct it.', { fieldErrors })
    }
    if (invoiceNumber === 'later')
      throw new ApiError('SERVICE_UNAVAILABLE', 'Later.', { retryAfterSeconds: 7 })
    if (invoiceNumber === 'defect') throw new Error('a secret of the program')
    const buyerName = 'x'.repeat(invoiceNumber.startsWith('large') ? 3 * 1024 * 1024 : 1)
    const lines = invoiceNumber === 'unwritable' ? (7 as never) : []
    return { ...Invoice.decode(new Uint8Array()), id: invoiceNumber, buyerName, lines }
  }
}

async function countBatches(work: () => Promise<unknown>): Promise<number> {
  const made = jest.spyOn(grpc.Client.prototype, 'makeServerStreamRequest')
  try {
    await work()
    return made.mock.calls.length
  } finally {
    made.mockRestore()
  }
}

function connect(address: string): Service<typeof InvoicesService> {
  const client = connectRpc(InvoicesService, { address, callerSecrets })
  opened.push(client)
  return client.service
}

it('sends together what waits, each with its own caller, ids, deadline, and answer or error', async () => {
  const invoices = new Invoices()
  const service = connect(await invoices.serve())
  const tracing = await openTracing(
    {
      url: 'http://127.0.0.1:9/v1/traces',
      headersFile: undefined,
      sampler: 'always_off',
      ratio: 0,
      scheduleDelayMs: 1_000,
    },
    { service: 'gateway', log: createLog('silent') },
  )
  opened.push(tracing)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const deadline = Date.now() + 3_000
  const batches = await countBatches(async () => {
    const outcomes = await Promise.allSettled([
      service.createInvoice(requestWith('F-1'), createCall({ requestId: 'r-1' })),
      service.createInvoice(requestWith('wrong'), createCall()),
      service.createInvoice(requestWith('later'), createCall()),
      service.createInvoice(requestWith('defect'), createCall()),
      service.createInvoice(
        requestWith('F-2'),
        createCall({
          caller: {
            ...caller,
            organizationId: 'org-2',
            actor: 'user:a@example.com',
            sessionId: 's',
          },
          requestId: 'r-2',
          span: readTraceparent(traceparent),
          deadline,
        }),
      ),
    ])
    expect(outcomes).toMatchObject([
      { value: { id: 'F-1' } },
      { reason: { code: 'VALIDATION_ERROR', message: 'Correct it.' } },
      { reason: { code: 'SERVICE_UNAVAILABLE', message: 'Later.', retryAfterSeconds: 7 } },
      { reason: { message: expect.stringContaining('internal error') } },
      { value: { id: 'F-2' } },
    ])
    expect(outcomes[1]).toMatchObject({ reason: { fieldErrors: { length: 500 } } })
  })
  expect(batches).toBe(1)
  const [first, , , , last] = invoices.calls
  expect(first).toMatchObject({ caller, requestId: 'r-1' })
  expect(last?.caller).toEqual({
    service: 'gateway',
    organizationId: 'org-2',
    actor: 'user:a@example.com',
    sessionId: 's',
  })
  expect(last?.requestId).toBe('r-2')
  expect(last?.span?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c')
  expect(Math.abs((last?.deadline ?? 0) - deadline)).toBeLessThan(1_000)
})

it('answers what is done, while another call of the batch still works', async () => {
  const invoices = new Invoices()
  invoices.held.add('slow')
  const service = connect(await invoices.serve())
  const slow = service.createInvoice(requestWith('slow'), createCall())
  const quick = service.createInvoice(requestWith('quick'), createCall())
  expect(await quick).toMatchObject({ id: 'quick' })
  expect(invoices.calls.map(({ invoiceNumber }) => invoiceNumber)).toEqual(['slow', 'quick'])
  invoices.answer('slow')
  expect(await slow).toMatchObject({ id: 'slow' })
})

it('a call whose deadline has passed ends, and no other', async () => {
  const invoices = new Invoices()
  for (const number of ['slow', 'held']) invoices.held.add(number)
  const service = connect(await invoices.serve())
  const slow = service.createInvoice(
    requestWith('slow'),
    createCall({ deadline: Date.now() + 300 }),
  )
  const other = service.createInvoice(requestWith('held'), createCall())
  await expect(slow).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  invoices.answer('held')
  expect(await other).toMatchObject({ id: 'held' })
  invoices.answer('slow')
})

it('a batch whose deadline has passed, and an answer that cannot be encoded, end nothing else', async () => {
  const invoices = new Invoices()
  for (const number of ['slow 1', 'slow 2']) invoices.held.add(number)
  const service = connect(await invoices.serve())
  const create = (number: string, withinMs = 5_000) =>
    service.createInvoice(requestWith(number), createCall({ deadline: Date.now() + withinMs }))
  const late = await Promise.allSettled([create('slow 1', 200), create('slow 2', 200)])
  const reason = { code: 'SERVICE_UNAVAILABLE' }
  expect(late).toMatchObject([{ reason }, { reason }])
  invoices.answer('slow 1')
  invoices.answer('slow 2')
  const [unwritten, good] = await Promise.allSettled([create('unwritable'), create('F-1')])
  expect(unwritten).toMatchObject({
    reason: { message: expect.stringContaining('internal error') },
  })
  expect(good).toMatchObject({ value: { id: 'F-1' } })
})

it('one call alone is no batch; at most sixteen are in one, and no large ones', async () => {
  const invoices = new Invoices()
  const service = connect(await invoices.serve())
  const create = (...numbers: string[]) =>
    Promise.all(numbers.map((each) => service.createInvoice(requestWith(each), createCall())))
  expect(await countBatches(() => create('alone'))).toBe(0)
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => `F-${at}`)
  expect(await countBatches(() => create(...numbers(16)))).toBe(1)
  expect(await countBatches(() => create(...numbers(18)))).toBe(2)
  const large = 'x'.repeat(300 * 1024)
  expect(await countBatches(() => create(`${large}1`, `${large}2`))).toBe(0)
})

it('answers that are larger in sum than a message may be all arrive', async () => {
  const service = connect(await new Invoices().serve())
  const numbers = Array.from({ length: 16 }, (_, at) => `large ${at}`)
  const answers = await Promise.all(
    numbers.map((number) => service.createInvoice(requestWith(number), createCall())),
  )
  expect(answers.map(({ id }) => id)).toEqual(numbers)
})

it('a server of the release before is sent each call alone', async () => {
  const numbers: string[] = []
  const server = new grpc.Server()
  server.addService(
    { createInvoice },
    {
      createInvoice: (
        { request }: grpc.ServerUnaryCall<CreateInvoiceRequest, Invoice>,
        callback: grpc.sendUnaryData<Invoice>,
      ) => {
        numbers.push(readNumber(request))
        callback(null, { ...Invoice.decode(new Uint8Array()), id: readNumber(request) })
      },
    },
  )
  opened.push({ close: () => server.forceShutdown() })
  const { createInvoice: create } = connect(await listen(server))
  const createAll = (...each: string[]) =>
    Promise.all(each.map((number) => create(requestWith(number), createCall())))
  expect(await countBatches(() => createAll('F-1', 'F-2', 'F-3'))).toBe(1)
  expect(numbers).toEqual(['F-1', 'F-2', 'F-3'])
  expect(await countBatches(() => createAll('F-4', 'F-5'))).toBe(0)
  expect(numbers).toHaveLength(5)
})

const listen = (server: grpc.Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    )
  })

it('an answer with an illegal trailer is an error of the batch', async () => {
  const server = new grpc.Server()
  const answer: grpc.handleServerStreamingCall<CallBatch, AnswerBatch> = (stream) => {
    const error = { code: 13, details: '', metadata: { 'not binary': Buffer.from('x') } }
    stream.write({ answers: [{ place: 0, answer: Buffer.alloc(0), error }] })
    stream.end()
  }
  server.addService(BatchesService, { sendCalls: answer, sendIdempotentCalls: answer })
  opened.push({ close: () => server.forceShutdown() })
  const { createInvoice: create } = connect(await listen(server))
  const created = ['F-1', 'F-2'].map((number) => create(requestWith(number), createCall()))
  const outcomes = await Promise.allSettled(created)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

it('only idempotent calls are sent again when a batch fails', async () => {
  const methods: string[] = []
  const server = new grpc.Server()
  const fail: grpc.handleServerStreamingCall<CallBatch, AnswerBatch> = (stream) => {
    methods.push(stream.getPath())
    stream.emit('error', { code: grpc.status.UNAVAILABLE, details: 'stopping' })
  }
  server.addService(BatchesService, { sendCalls: fail, sendIdempotentCalls: fail })
  opened.push({ close: () => server.forceShutdown() })
  const address = await listen(server)
  const reason = { code: 'SERVICE_UNAVAILABLE' }
  const { createInvoice: create } = connect(address)
  const created = ['F-1', 'F-2'].map((number) => create(requestWith(number), createCall()))
  expect(await Promise.allSettled(created)).toMatchObject([{ reason }, { reason }])
  expect(methods).toEqual([BatchesService.sendCalls.path])

  methods.length = 0
  const signer = connectRpc(SignerService, { address, callerSecrets })
  opened.push(signer)
  const call = createCall({ caller: { ...caller, service: 'invoices' } })
  const sign = () =>
    signer.service.signDocument({ invoice: Invoice.decode(new Uint8Array()) }, call)
  expect(await Promise.allSettled([sign(), sign()])).toMatchObject([{ reason }, { reason }])
  expect(methods).toEqual(Array.from({ length: 4 }, () => BatchesService.sendIdempotentCalls.path))
})

describe('a batch', () => {
  const keys = callerKeys(callerSecrets)
  const { path } = createInvoice
  const sign = (from: Caller, called: string = path) =>
    signCallerTokens(from, { service: 'invoices', path: called }, keys).caller ?? ''
  const one = (changes: Partial<BatchedCall> = {}): BatchedCall => ({
    path,
    request: createInvoice.requestSerialize(requestWith('F-1')),
    timeoutMs: 5_000,
    caller: sign(caller),
    callerPair: '',
    requestId: 'r',
    traceparent: '',
    ...changes,
  })
  const send = async (address: string, calls: BatchedCall[], token: string) => {
    const client = new grpc.Client(address, grpc.credentials.createInsecure())
    opened.push(client)
    const metadata = new grpc.Metadata()
    metadata.set('caller', token)
    const { path: to, requestSerialize, responseDeserialize } = BatchesService.sendCalls
    const stream = client.makeServerStreamRequest<CallBatch, AnswerBatch>(
      to,
      requestSerialize,
      responseDeserialize,
      { calls },
      metadata,
      { deadline: Date.now() + 5_000 },
    )
    const answers: BatchedAnswer[] = []
    for await (const some of stream) answers.push(...(some as AnswerBatch).answers)
    return answers
      .sort((one, other) => one.place - other.place)
      .map(({ error }) => error?.code ?? 0)
  }
  const token = sign(caller, BatchesService.sendCalls.path)
  const other: Caller = {
    service: 'clearance',
    organizationId: 'org-1',
    actor: 'service:clearance',
  }

  it('proves the caller of each call, and answers the others', async () => {
    const invoices = new Invoices()
    const { OK, PERMISSION_DENIED, UNIMPLEMENTED, DEADLINE_EXCEEDED, INTERNAL, INVALID_ARGUMENT } =
      grpc.status
    const calls = [
      one(),
      one({ caller: '' }),
      one({ caller: sign(caller, InvoicesService.getInvoice.path) }),
      one({ caller: sign(other) }),
      one({ path: '/einvoicing.Invoices/Absent' }),
      one({ timeoutMs: 0 }),
      one({ request: Buffer.from([0xff, 0xff]) }),
      one({ requestId: 'é' }),
      one({ caller: 'a\nb' }),
      one(),
    ]
    expect(await send(await invoices.serve(), calls, token)).toEqual([
      ...[OK, PERMISSION_DENIED, PERMISSION_DENIED, PERMISSION_DENIED],
      ...[UNIMPLEMENTED, DEADLINE_EXCEEDED, INTERNAL, INVALID_ARGUMENT],
      ...[INVALID_ARGUMENT, OK],
    ])
    expect(invoices.calls).toHaveLength(2)
  })

  it('works on a call no longer than its client waits for the batch', async () => {
    const invoices = new Invoices()
    const address = await invoices.serve()
    await send(address, [one({ timeoutMs: 600_000 })], token)
    expect(invoices.calls[0]?.deadline).toBeLessThan(Date.now() + 6_000)
  })

  it('is refused from a stranger and beyond sixteen calls; sixteen and none are answered', async () => {
    const address = await new Invoices().serve()
    const code = (of: Promise<unknown>) =>
      of.then(
        () => grpc.status.OK,
        (error: unknown) => (error as grpc.ServiceError).code,
      )
    const many = Array.from({ length: itemsMax.calls }, () => one())
    expect(await send(address, many, token)).toHaveLength(16)
    expect(await send(address, [], token)).toEqual([])
    expect(await code(send(address, [...many, one()], token))).toBe(grpc.status.INVALID_ARGUMENT)
    for (const wrong of ['', 'x', sign(caller)]) {
      expect(await code(send(address, [one()], wrong))).toBe(grpc.status.PERMISSION_DENIED)
    }
  })
})
