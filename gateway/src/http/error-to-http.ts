import type { Log } from '@einvoicing/runtime/log'
import { ApiError, noAnswer, type ErrorCode } from '@einvoicing/domain/api-error'
import { toLogIds } from '@einvoicing/runtime/trace'
import type { Response } from 'express'
import { send, toErrorEnvelope, type Headers } from './envelope'
import { getExchange } from './exchange'
import { findSlot } from './overload/slot'

/** Specification, section 7. */
export const httpStatus = {
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  API_KEY_RATE_LIMITED: 429,
  VALIDATION_ERROR: 400,
  INVOICE_NOT_FOUND: 404,
  INVOICE_NUMBER_EXISTS: 409,
  INVOICE_NOT_EDITABLE: 409,
  INVOICE_NOT_RESUBMITTABLE: 409,
  INVOICE_CHANGED: 412,
  INVOICE_NOT_CREDITABLE: 409,
  CREDIT_EXCEEDS_INVOICE: 409,
  MISSING_LEGAL_MENTIONS: 409,
  ORGANIZATION_NOT_APPROVED: 409,
  ARTEFACT_NOT_AVAILABLE: 409,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  HEADERS_TOO_LARGE: 431,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BAD_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  SESSION_MISSING: 401,
  SESSION_INVALID: 401,
  CSRF_REFUSED: 403,
  FORBIDDEN: 403,
  CREDENTIALS_INVALID: 401,
  TOO_MANY_ATTEMPTS: 429,
  TOO_MANY_STREAMS: 429,
  EMAIL_TAKEN: 409,
  SIGNUP_CLOSED: 403,
  API_KEY_NOT_FOUND: 404,
  INSUFFICIENT_SCOPE: 403,
  CONFIRMATION_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  EMAIL_NOT_VERIFIED: 403,
  ORGANIZATION_SWITCHED: 409,
  PASSKEY_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  MEMBER_NOT_FOUND: 404,
  LAST_OWNER: 409,
  INVITATION_NOT_FOUND: 404,
  PRECONDITION_FAILED: 412,
  // Between services only: clients get SERVICE_UNAVAILABLE.
  CALLER_REFUSED: 503,
} satisfies Record<ErrorCode, number>

// RFC 9110, section 15.5.2, requires a challenge with 401; RFC 6750, section 3, has this scheme.
const challenges: Partial<Record<ErrorCode, string>> = {
  API_KEY_MISSING: 'Bearer realm="einvoicing"',
  API_KEY_INVALID: 'Bearer realm="einvoicing", error="invalid_token"',
  INSUFFICIENT_SCOPE: 'Bearer realm="einvoicing", error="insufficient_scope"',
}

export function sendError(response: Response, thrown: unknown, log: Log): void {
  const apiError = toApiError(thrown, response, log)
  const { code } = apiError
  getExchange(response).errorCode = code
  const envelope = toErrorEnvelope(apiError)
  const status = httpStatus[code]
  const answer = () => send(response, { status, headers: toErrorHeaders(apiError), envelope })
  const slot = pacedStatuses.includes(status) ? findSlot(response) : undefined
  if (slot) slot.sendPaced(answer)
  else answer()
}

/** Cheap to answer, and of no use to the client: one that asks again at once must not get many. */
const pacedStatuses = [401, 429]

export class MethodNotAllowed extends ApiError {
  readonly allowed: readonly string[]

  constructor(method: string, allowed: readonly string[]) {
    super(
      'METHOD_NOT_ALLOWED',
      `${method} is not allowed here: this path accepts ${allowed.join(', ')}.`,
    )
    this.allowed = allowed
  }
}

function toErrorHeaders(apiError: ApiError): Headers {
  const challenge = challenges[apiError.code]
  return {
    ...(apiError.retryAfterSeconds !== undefined && { 'Retry-After': apiError.retryAfterSeconds }),
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(apiError instanceof MethodNotAllowed && { Allow: apiError.allowed.join(', ') }),
  }
}

export function toApiError(thrown: unknown, response: Response, log: Log): ApiError {
  const exchange = getExchange(response)
  const { requestId, route } = exchange
  if (thrown instanceof ApiError && thrown.code !== 'CALLER_REFUSED') {
    if (thrown.cause)
      log.warn({ err: thrown, ...toLogIds(exchange), route }, 'request answered with an error')
    return thrown
  }
  // The router could not decode a percent-escape: there is no such path.
  if (thrown instanceof URIError) return createNotFound()
  log.error({ err: thrown, ...toLogIds(exchange), route }, 'request failed')
  // Secrets, certificates or clocks of two services do not match; temporary until that is fixed.
  if (thrown instanceof ApiError) return noAnswer('The service', thrown)
  return internalError(requestId, thrown)
}

export function internalError(requestId: string, cause?: unknown): ApiError {
  return new ApiError(
    'INTERNAL_ERROR',
    `An internal error occurred; the request may or may not have been carried out. Check its result, or retry once. If it fails again, contact support with the request id ${requestId}.`,
    { cause },
  )
}

export function createNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'Unknown path. See /docs for the list of endpoints.')
}
