// For changes over a connection that may lose the answer.

import { EinvoicingError, isDenied, mayHaveHappened, type ErrorCode } from './errors'
import { withPatience, type Patience } from './patience'

export interface Change<Result> {
  send(): Promise<Result>
  /** The result, if it exists already. Throws `alreadyDone` if it never will. */
  find(): Promise<Result | undefined>
  /** The error code when the change was made already, perhaps by us. */
  alreadyDone: ErrorCode
  acceptsExisting?: boolean
  /** `whether the invoice was signed` */
  question: string
  advice: string
}

/** Throws OUTCOME_UNKNOWN if it may have been carried out and that could not be checked. */
export async function settle<Result>(change: Change<Result>, patience: Patience): Promise<Result> {
  // May an attempt have been carried out, and may `alreadyDone` mean our own?
  const tried = { isUnclear: false, acceptsAlreadyDone: change.acceptsExisting ?? false }
  const attempt = async () => {
    const found = tried.isUnclear ? await change.find() : undefined
    if (found !== undefined) return found
    try {
      return await change.send()
    } catch (error) {
      if (!(error instanceof EinvoicingError)) throw error
      tried.isUnclear ||= mayHaveHappened(error)
      const existing =
        tried.acceptsAlreadyDone && error.code === change.alreadyDone
          ? await change.find()
          : undefined
      tried.acceptsAlreadyDone ||= tried.isUnclear
      if (existing !== undefined) return existing
      throw error
    }
  }
  try {
    return await withPatience(patience, attempt)
  } catch (error) {
    const isSettled =
      !tried.isUnclear || !(error instanceof EinvoicingError) || error.code === change.alreadyDone
    if (isSettled) throw error
    return lastLook(change, error)
  }
}

async function lastLook<Result>(change: Change<Result>, error: EinvoicingError): Promise<Result> {
  const found = await change.find().catch((cause: unknown) => {
    throw cause instanceof EinvoicingError && isDenied(cause)
      ? cause
      : outcomeUnknown(change, error)
  })
  if (found !== undefined) return found
  throw isDenied(error) ? error : outcomeUnknown(change, error)
}

function outcomeUnknown(change: Change<unknown>, cause: EinvoicingError): EinvoicingError {
  const message = `It is not known ${change.question}. Last error: ${cause.message} ${change.advice}`
  const { errors, requestId, status, retryAfterSeconds } = cause
  return new EinvoicingError('OUTCOME_UNKNOWN', message, {
    errors,
    requestId,
    status,
    retryAfterSeconds,
    cause,
  })
}
