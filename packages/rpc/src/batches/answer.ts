/** Each call of a batch is proven, answered and measured as if it had been sent alone. */

import * as grpc from '@grpc/grpc-js'
import type {
  AnswerBatch,
  BatchedAnswer,
  BatchedCall,
  BatchesServer,
  CallBatch,
} from '@einvoicing/proto/batches'
import type { Contract } from '../call'
import type { Caller } from '../caller'
import type { ProofOptions, ProvenCallers } from '../prove-callers'
import { answersBytes, itemsMax } from '../message-size'

/** What a handler reads of a call. */
export type ReceivedCall = Pick<
  grpc.ServerUnaryCall<unknown, unknown>,
  'metadata' | 'request' | 'getDeadline' | 'getPath'
>

export type AnswerCall = (
  received: ReceivedCall,
  callback: (error: Partial<grpc.StatusObject> | null, answer?: unknown) => void,
) => void

interface Batches {
  contract: Contract
  /** By the name of the method. */
  methods: Readonly<Record<string, AnswerCall>>
  callers: ProvenCallers
  reject: ProofOptions['reject']
}

interface Received {
  batched: BatchedCall
  sender: Caller
  /** When the batch began, and when its client stops waiting. */
  begunAtMs: number
  deadline: number
}

type Outcome = Omit<BatchedAnswer, 'place'>

export function batchesHandlers(batches: Batches): BatchesServer {
  const names = new Map(Object.entries(batches.contract).map(([name, { path }]) => [path, name]))

  const answerBatch: grpc.handleServerStreamingCall<CallBatch, AnswerBatch> = (stream) => {
    const times = { begunAtMs: Date.now(), deadline: Number(stream.getDeadline()) }
    const { calls } = stream.request
    if (calls.length > itemsMax.calls) {
      const details = `more than ${itemsMax.calls} calls`
      stream.emit('error', { code: grpc.status.INVALID_ARGUMENT, details })
      return
    }
    const sender = batches.callers.find(stream.metadata)
    let answers: BatchedAnswer[] = []
    let bytes = 0
    let left = calls.length
    let turn: NodeJS.Immediate | undefined
    const write = () => {
      stream.write({ answers })
      answers = []
      bytes = 0
    }
    // What is done in one turn of the event loop is answered together.
    const writeSoon = () => {
      turn ??= setImmediate(() => {
        turn = undefined
        write()
        if (left === 0) stream.end()
      })
    }
    for (const [place, batched] of calls.entries()) {
      const method = names.get(batched.path) ?? ''
      void answerOne(batches, method, { batched, sender, ...times }).then((outcome) => {
        left -= 1
        const { length } = outcome.answer
        if (answers.length > 0 && bytes + length > answersBytes) write()
        answers.push({ place, ...outcome })
        bytes += length
        writeSoon()
      })
    }
    if (left === 0) stream.end()
  }
  return { sendCalls: answerBatch, sendIdempotentCalls: answerBatch }
}

async function answerOne(
  { contract, methods, callers, reject }: Batches,
  method: string,
  { batched, sender, ...times }: Received,
): Promise<Outcome> {
  const { path } = batched
  const deadline = Math.min(times.begunAtMs + batched.timeoutMs, times.deadline)
  const refuse = (code: grpc.status) => toError({ code, details: path })
  const definition = contract[method]
  const answer = methods[method]
  if (!definition || !answer) return refuse(grpc.status.UNIMPLEMENTED)
  if (deadline <= Date.now()) return refuse(grpc.status.DEADLINE_EXCEEDED)
  const metadata = toMetadata(batched)
  if (!metadata) return refuse(grpc.status.INVALID_ARGUMENT)
  const called = { method, path, metadata }
  try {
    callers.proveBatched(called, sender)
    const request = definition.requestDeserialize(batched.request)
    const received = { metadata, request, getDeadline: () => deadline, getPath: () => path }
    const { error, value } = await new Promise<Answered>((resolve) =>
      answer(received, (error, value) => resolve({ error, value })),
    )
    if (error) return toError(error)
    return { answer: definition.responseSerialize(value as never), error: undefined }
  } catch (error) {
    return toError(reject(error, called))
  }
}

interface Answered {
  error: Partial<grpc.StatusObject> | null
  value: unknown
}

/** Nothing, if a value could not be in a header. */
function toMetadata({ metadata: values }: BatchedCall): grpc.Metadata | undefined {
  const metadata = new grpc.Metadata()
  try {
    for (const [name, value] of Object.entries(values)) metadata.set(name, value)
    return metadata
  } catch {
    return undefined
  }
}

function toError({ code, details = '', metadata }: Partial<grpc.StatusObject>): Outcome {
  const values = Object.entries(metadata?.getMap() ?? {})
  const binary = values.filter((entry): entry is [string, Buffer] => Buffer.isBuffer(entry[1]))
  const error = {
    code: code ?? grpc.status.UNKNOWN,
    details,
    metadata: Object.fromEntries(binary),
  }
  return { answer: Buffer.alloc(0), error }
}
