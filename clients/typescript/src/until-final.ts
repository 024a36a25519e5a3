import { EinvoicingError } from './errors'
import { pause, withPatience, type Patience } from './patience'
import type { InvoiceStatus } from './schemas'

export type FinalStatus = InvoiceStatus & { status: 'ACCEPTED' | 'REJECTED' | 'FAILED' }

export interface Polling extends Omit<Patience, 'attempts'> {
  onStatus?: ((status: InvoiceStatus) => void) | undefined
}

const firstPauseMs = 300
const longestPauseMs = 5_000

/** Temporary errors are retried until the deadline. */
export async function pollUntilFinal(
  read: () => Promise<InvoiceStatus>,
  { onStatus, ...waiting }: Polling,
): Promise<FinalStatus> {
  const { giveUpAt, signal } = waiting
  let last: InvoiceStatus | undefined
  for (let polls = 0; ; polls += 1) {
    let failure: EinvoicingError | undefined
    const onPause = (error: EinvoicingError, pauseMs: number) => {
      failure = error
      waiting.onPause?.(error, pauseMs)
    }
    const patience = { ...waiting, attempts: Infinity, onPause }
    const status = await withPatience(patience, read).catch((error: unknown) => {
      if (!(error instanceof EinvoicingError && error.isTemporary)) throw error
      // The end of the waiting time cuts the last read short, which is no failure of the service.
      throw notFinal(last, last && error.code === 'TIMED_OUT' ? failure : error)
    })
    if (status.status !== last?.status) onStatus?.(status)
    last = status
    if (isFinal(status)) return status
    if (status.status === 'PENDING' || status.status === 'CANCELLED') throw notSubmitted(status)
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 1.5 ** polls) * jitter()
    if (Date.now() + pauseMs > giveUpAt) throw notFinal(last)
    await pause(pauseMs, signal)
  }
}

const jitter = () => 0.75 + Math.random() / 2

function isFinal(status: InvoiceStatus): status is FinalStatus {
  return ['ACCEPTED', 'REJECTED', 'FAILED'].includes(status.status)
}

function notSubmitted({ status }: InvoiceStatus): EinvoicingError {
  const message =
    status === 'PENDING'
      ? 'The invoice is a draft (PENDING). Sign it first to start clearance.'
      : 'The invoice was cancelled and will not be cleared.'
  return new EinvoicingError('NOT_SUBMITTED', message)
}

function notFinal(last: InvoiceStatus | undefined, cause?: EinvoicingError): EinvoicingError {
  const seen = last ? `The invoice is still ${last.status}` : 'The invoice could not be read'
  const why = cause ? ` (${cause.message})` : ''
  const message = `${seen}${why}: no decision within the waiting time. Clearance continues; check the status later.`
  return new EinvoicingError('NOT_FINAL', message, {
    cause,
    requestId: cause?.requestId,
    status: cause?.status,
    retryAfterSeconds: cause?.retryAfterSeconds,
  })
}
