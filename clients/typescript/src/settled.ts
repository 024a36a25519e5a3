/**
 * Changing something once, over a connection that may lose the answer: before anything is sent a
 * second time, the service is asked whether the first time did it.
 */

import { EinvoicingError, mayHaveHappened, type ErrorCode } from './errors'
import { withPatience, type Patience } from './patience'

export interface Change<Result> {
  send(): Promise<Result>
  /**
   * What the service has, when it is what `send` brings about; `undefined` while it is not. Throws
   * `echo` where it never will be.
   */
  find(): Promise<Result | undefined>
  /** How the service refuses what is done already, be it by us. */
  echo: ErrorCode
  /** Whether even what was there before the first sending will do. */
  takesExisting?: boolean
  /** `whether the invoice was signed` */
  question: string
}

/**
 * Throws what `send` is refused with; OUTCOME_UNKNOWN where it may have been done, and the service
 * could not be asked.
 */
export async function settle<Result>(change: Change<Result>, patience: Patience): Promise<Result> {
  // What the tries leave behind: whether it may be done, and whether to know one's own echo.
  const tried = { isUnclear: false, knowsEcho: change.takesExisting ?? false }
  const attempt = async () => {
    const found = tried.isUnclear ? await change.find() : undefined
    if (found !== undefined) return found
    try {
      return await change.send()
    } catch (error) {
      if (!(error instanceof EinvoicingError)) throw error
      tried.isUnclear ||= mayHaveHappened(error)
      const existing =
        tried.knowsEcho && error.code === change.echo ? await change.find() : undefined
      tried.knowsEcho ||= tried.isUnclear
      if (existing !== undefined) return existing
      throw error
    }
  }
  try {
    return await withPatience(patience, attempt)
  } catch (error) {
    const isSettled =
      !tried.isUnclear || !(error instanceof EinvoicingError) || error.code === change.echo
    if (isSettled) throw error
    return lastLook(change, error)
  }
}

/** The last try left it open: once more, is it there? */
async function lastLook<Result>(change: Change<Result>, error: EinvoicingError): Promise<Result> {
  const found = await change.find().catch((cause: unknown) => {
    throw cause instanceof EinvoicingError && cause.code === change.echo
      ? cause
      : outcomeUnknown(change, error)
  })
  if (found !== undefined) return found
  // The service answered, and has nothing: its own word says what to do.
  const isAnswered = error.code === 'SERVICE_UNAVAILABLE' || error.code === 'INTERNAL_ERROR'
  throw isAnswered ? error : outcomeUnknown(change, error)
}

function outcomeUnknown({ question }: Change<unknown>, cause: EinvoicingError): EinvoicingError {
  const message = `It is not known ${question}: ${cause.message} Repeat the same call: it checks first and does nothing twice.`
  const { requestId, status, retryAfterSeconds } = cause
  return new EinvoicingError('OUTCOME_UNKNOWN', message, {
    requestId,
    status,
    retryAfterSeconds,
    cause,
  })
}
