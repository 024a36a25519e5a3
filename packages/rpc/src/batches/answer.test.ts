import * as grpc from '@grpc/grpc-js'
import {
  BatchesService,
  type AnswerBatch,
  type BatchedAnswer,
  type BatchedCall,
  type CallBatch,
} from '@einvoicing/proto/batches'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { signCallerTokens, type Caller } from '../caller'
import { callerKeys } from '../caller-secrets'
import { itemsMax } from '../message-size'
import {
  caller,
  callerSecrets,
  closeOpened,
  Invoices,
  opened,
  requestWith,
} from './testdata/invoices-server'

const { createInvoice } = InvoicesService

afterEach(closeOpened)

describe('a batch', () => {
  const keys = callerKeys(callerSecrets)
  const { path } = createInvoice
  const sign = (from: Caller, called: string = path) =>
    signCallerTokens(from, { service: 'invoices', path: called }, keys).caller ?? ''
  const one = (changes: Partial<BatchedCall> = {}): BatchedCall => ({
    path,
    request: createInvoice.requestSerialize(requestWith('F-1')),
    timeoutMs: 5_000,
    metadata: { caller: sign(caller), 'request-id': 'r' },
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
      one({ metadata: {} }),
      one({ metadata: { caller: sign(caller, InvoicesService.getInvoice.path) } }),
      one({ metadata: { caller: sign(other) } }),
      one({ path: '/einvoicing.Invoices/Absent' }),
      one({ timeoutMs: 0 }),
      one({ request: Buffer.from([0xff, 0xff]) }),
      one({ metadata: { caller: sign(caller), 'request-id': 'é' } }),
      one({ metadata: { caller: 'a\nb' } }),
      one({ metadata: { caller: sign(caller), 'not a key': 'x' } }),
      one(),
    ]
    expect(await send(await invoices.serve(), calls, token)).toEqual([
      ...[OK, PERMISSION_DENIED, PERMISSION_DENIED, PERMISSION_DENIED],
      ...[UNIMPLEMENTED, DEADLINE_EXCEEDED, INTERNAL, INVALID_ARGUMENT],
      ...[INVALID_ARGUMENT, INVALID_ARGUMENT, OK],
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
