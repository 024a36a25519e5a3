import * as grpc from '@grpc/grpc-js'
import { BatchesService, type AnswerBatch, type CallBatch } from '@einvoicing/proto/batches'
import { Invoice } from '@einvoicing/proto/invoice'
import { InvoicesService, type CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { SignerService } from '@einvoicing/proto/signer'
import { createLog } from '@einvoicing/runtime/log'
import { openTracing, readTraceparent } from '@einvoicing/runtime/trace'
import type { Call, Service } from '../call'
import { connectRpc } from '../client'
import type { ServiceName } from '../service-name'
import {
  caller,
  callerSecrets,
  closeOpened,
  Invoices,
  opened,
  readNumber,
  requestWith,
} from './testdata/invoices-server'

const { createInvoice } = InvoicesService

afterEach(closeOpened)

const createCall = (changes: Partial<Call> = {}): Call => {
  return { caller, requestId: 'r', deadline: Date.now() + 5_000, ...changes }
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

function connect(address: string, secrets = callerSecrets): Service<typeof InvoicesService> {
  const client = connectRpc(InvoicesService, { address, callerSecrets: secrets })
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

it('sends apart what services call that share a process, as those of a standalone do', async () => {
  const service = connect(await new Invoices().serve())
  const read = (name: ServiceName) => {
    const request = { invoiceId: 'i', toSubmit: false }
    return service.readSignedXml(request, createCall({ caller: { ...caller, service: name } }))
  }
  const names = ['gateway', 'clearance', 'gateway', 'clearance'] as const
  const batches = await countBatches(async () => {
    const answers = await Promise.all(names.map(read))
    expect(answers.map(({ sha256 }) => sha256)).toEqual(names)
  })
  expect(batches).toBe(2)
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

it('each call carries the token of the pair, too', async () => {
  const pair = ['a secret that gateway and invoices share'] as const
  const invoices = new Invoices()
  const address = await invoices.serve({ pairs: new Map([['gateway', pair]]) })
  const service = connect(address, { ...callerSecrets, pairs: new Map([['invoices', pair]]) })
  const numbers = ['F-1', 'F-2', 'F-3']
  const created = numbers.map((number) => service.createInvoice(requestWith(number), createCall()))
  expect((await Promise.all(created)).map(({ id }) => id)).toEqual(numbers)
  expect(invoices.calls.map((call) => call.caller)).toEqual(numbers.map(() => caller))
})

it('a call that cannot be written fails alone', async () => {
  const service = connect(await new Invoices().serve())
  const [wrong, good] = await Promise.allSettled([
    service.createInvoice(requestWith('F-1'), createCall({ requestId: 'é' })),
    service.createInvoice(requestWith('F-2'), createCall()),
  ])
  expect(wrong).toMatchObject({ status: 'rejected' })
  expect(good).toMatchObject({ value: { id: 'F-2' } })
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
