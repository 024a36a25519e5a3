import type { FieldError, ServiceErrorCode } from './schemas'

export type TransportCode =
  /** No connection came about: nothing was sent. */
  | 'UNREACHABLE'
  /** The connection ended before the whole answer was there. */
  | 'CONNECTION_LOST'
  /** No whole answer came in time. */
  | 'TIMED_OUT'
  /** What answered is not the service: a proxy's page, a redirect. */
  | 'NOT_THE_SERVICE'
  /** A download is not what the service said it would be. */
  | 'DOWNLOAD_DAMAGED'

export type CallCode =
  /** The change may have been made: the message says how to find out. */
  | 'OUTCOME_UNKNOWN'
  /** No final status came in time. */
  | 'NOT_FINAL'
  /** Nothing is being cleared: a draft, or a cancelled invoice. */
  | 'NOT_SUBMITTED'

export type ErrorCode = ServiceErrorCode | TransportCode | CallCode

export interface ErrorDetails {
  status?: number | undefined
  errors?: readonly FieldError[] | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** Branch on `code`; the message is for people. Neither contains the key. */
export class EinvoicingError extends Error {
  override readonly name = 'EinvoicingError'
  readonly code: ErrorCode
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined
  readonly errors: readonly FieldError[]
  /** Quote it to the operator of the service. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.errors = details.errors ?? []
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  /** Whether the same request may succeed later, and cannot make a change twice. */
  get isTemporary(): boolean {
    if (this.code === 'OUTCOME_UNKNOWN') return false
    if (this.status === undefined || this.status < 300) return temporaryCodes.has(this.code)
    return temporaryStatuses.has(this.status)
  }
}

// 425 is sent by proxies about early data; the others by the service too.
const temporaryStatuses = new Set([408, 425, 429, 500, 502, 503, 504])
const temporaryCodes = new Set<ErrorCode>([
  'UNREACHABLE',
  'CONNECTION_LOST',
  'TIMED_OUT',
  'NOT_THE_SERVICE',
  'DOWNLOAD_DAMAGED',
  'NOT_FINAL',
])

/** Without an answer, or with one that does not deny it. */
export function mayHaveHappened({ code, status, message }: EinvoicingError): boolean {
  if (code === 'UNREACHABLE') return false
  // Only its words distinguish it from a 503 that leaves the outcome open.
  if (code === 'SERVICE_UNAVAILABLE' && message.includes('nothing was stored')) return false
  return status === undefined || status < 300 || status >= 500
}

// About the content or the invoice; others are about the caller or the moment.
const denyingStatuses = new Set([400, 404, 409, 412, 413, 415])

/** The service itself rejects this content, so an earlier attempt had no effect either. */
export function isDenied({ code, status = 0 }: EinvoicingError): boolean {
  return code !== 'NOT_THE_SERVICE' && denyingStatuses.has(status)
}
