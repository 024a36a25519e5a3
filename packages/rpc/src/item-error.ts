import { ApiError, isErrorCode } from '@einvoicing/domain/api-error'
import type { Log } from '@einvoicing/runtime/log'
import type { ItemError } from '@einvoicing/proto/error'
import type { Batched, SendBatch } from './batched-calls'
import type { Call } from './call'

/** For the server. A defect is logged here and sent without its text. */
export function toItemError(error: unknown, logFields: object, log: Log): ItemError {
  if (error instanceof ApiError) {
    const { code, message, retryAfterSeconds, cause } = error
    if (cause) log.warn({ err: error, ...logFields }, 'item of a call answered with an error')
    return { code, message, retryAfterSeconds }
  }
  log.error({ err: error, ...logFields }, 'item of a call failed')
  return { code: 'INTERNAL_ERROR', message: 'internal error', retryAfterSeconds: undefined }
}

function fromItemError({ code, message, retryAfterSeconds }: ItemError): Error {
  if (code === 'INTERNAL_ERROR' || !isErrorCode(code)) return new Error(`${code}: ${message}`)
  return new ApiError(code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
}

export function settleItem<T>(answer: T | undefined, error: ItemError | undefined) {
  if (answer !== undefined) return { status: 'fulfilled', value: answer } as const
  const reason = error ? fromItemError(error) : new Error('an item has neither answer nor error')
  return { status: 'rejected', reason } as const
}

interface BatchMethods<Item, Answer> {
  one(item: Item, call: Call): Promise<Answer>
  /** `call` is the first item's, with the latest deadline of all. */
  several(batch: readonly Batched<Item>[], call: Call): Promise<PromiseSettledResult<Answer>[]>
}

/** Item by item when the call fails: an older server, or too large an answer. */
export function sendTogether<Item, Answer>(
  methods: BatchMethods<Item, Answer>,
): SendBatch<Item, Answer> {
  const send = async (batch: readonly Batched<Item>[]) => {
    const each = () => Promise.allSettled(batch.map(({ item, call }) => methods.one(item, call)))
    const [first] = batch
    if (!first || batch.length === 1) return each()
    const deadline = Math.max(...batch.map(({ call }) => call.deadline))
    try {
      return await methods.several(batch, { ...first.call, deadline })
    } catch (error) {
      if (error instanceof ApiError) throw error
      return each()
    }
  }
  return async (batch, settle) => {
    for (const [place, outcome] of (await send(batch)).entries()) settle(place, outcome)
  }
}
