/** Calls that wait are sent in one message, each with its own answer, error and deadline. */

import * as grpc from '@grpc/grpc-js'
import {
  BatchesService,
  type AnswerBatch,
  type BatchedAnswer,
  type CallBatch,
} from '@einvoicing/proto/batches'
import { BatchedCalls, type Batched, type SendBatch } from '../batched-calls'
import type { Call } from '../call'
import { serviceCaller } from '../caller'
import { idempotentMethods } from '../idempotent-methods'
import { itemsMax } from '../message-size'
import { batchedPaths } from './methods'

export interface SentCall {
  path: string
  request: Buffer
  metadata: grpc.Metadata
  call: Call
}

/** Rejects with a `grpc.ServiceError`. */
export type SendCall = (sent: SentCall) => Promise<Buffer>

export interface Sender {
  channel: grpc.Client
  /** Alone. */
  send: SendCall
  toMetadata: (path: string, call: Call) => grpc.Metadata
}

const options = {
  what: 'The service',
  itemsMax: itemsMax.calls,
  waitingMax: 1_024,
  callsAtOnce: 2,
  // The longest time for which slow calls hold up others.
  slowAfterMs: 40,
} as const

/** Larger calls take long, and go alone. */
const requestBytesMax = 32 * 1024

/** How long a server of the release before, without the method, is not asked for it again. */
const olderServerMs = 60_000

export function batchCalls(sender: Sender): SendCall {
  let olderUntilMs = -Infinity

  const send: SendBatch<SentCall, Buffer> = async (batch, settle) => {
    const [first] = batch
    if (!first || batch.length === 1 || performance.now() < olderUntilMs) {
      return sendEach(batch, settle)
    }
    try {
      await sendBatch(batch, settle)
    } catch (error) {
      if ((error as grpc.ServiceError).code !== grpc.status.UNIMPLEMENTED) throw error
      olderUntilMs = performance.now() + olderServerMs
      await sendEach(batch, settle)
    }
  }

  const sendEach: typeof send = async (batch, settle) => {
    const sendOne = async ({ item }: Batched<SentCall>, place: number) =>
      sender.send(item).then(
        (value) => settle(place, { status: 'fulfilled', value }),
        (reason: unknown) => settle(place, { status: 'rejected', reason }),
      )
    await Promise.all(batch.map(sendOne))
  }

  const sendBatch: typeof send = (batch, settle) =>
    new Promise((resolve, reject) => {
      const [{ item, call: first }] = batch as [Batched<SentCall>]
      const caller = serviceCaller(first.caller.service)
      const deadline = Math.max(...batch.map(({ call }) => call.deadline))
      const call = { caller, requestId: first.requestId, deadline }
      const isIdempotent = idempotentMethods.has(item.path)
      const method = isIdempotent ? BatchesService.sendIdempotentCalls : BatchesService.sendCalls
      const { path, requestSerialize, responseDeserialize } = method
      const answers = sender.channel.makeServerStreamRequest<CallBatch, AnswerBatch>(
        path,
        requestSerialize,
        responseDeserialize,
        toMessage(batch),
        sender.toMetadata(path, call),
        { deadline },
      )
      answers.on('data', (some: AnswerBatch) => {
        try {
          for (const answer of some.answers) settle(answer.place, toOutcome(answer))
        } catch (error) {
          answers.cancel()
          reject(new Error('an answer of a batch cannot be read', { cause: error }))
        }
      })
      answers.on('end', resolve)
      answers.on('error', reject)
    })

  // Methods take different times. A batch is of one service, and several in one process share a
  // client.
  const queues = new Map<string, BatchedCalls<SentCall, Buffer>>()
  const openQueue = ({ path, call }: SentCall) => {
    const name = `${call.caller.service} ${path}`
    const queue = queues.get(name) ?? new BatchedCalls(send, options)
    queues.set(name, queue)
    return queue
  }
  return (sent) => {
    const isBatched = batchedPaths.has(sent.path) && sent.request.length <= requestBytesMax
    return isBatched ? openQueue(sent).add(sent, sent.call) : sender.send(sent)
  }
}

function toMessage(batch: readonly Batched<SentCall>[]): CallBatch {
  const nowMs = Date.now()
  const calls = batch.map(({ item: { path, request, metadata, call } }) => ({
    path,
    request,
    timeoutMs: Math.max(0, Math.round(call.deadline - nowMs)),
    // All of it is text.
    metadata: metadata.getMap() as Record<string, string>,
  }))
  return { calls }
}

function toOutcome({ answer, error }: BatchedAnswer): PromiseSettledResult<Buffer> {
  if (!error) return { status: 'fulfilled', value: answer }
  const { code, details } = error
  const metadata = new grpc.Metadata()
  for (const [name, value] of Object.entries(error.metadata)) metadata.set(name, value)
  return {
    status: 'rejected',
    reason: Object.assign(new Error(details), { code, details, metadata }),
  }
}
