// Expected, and sent between services with all fields; anything else thrown is a defect.

/** Codes are never reused or renamed. Specification, section 7.2. */
export const errorCodes = [
  'API_KEY_MISSING',
  'API_KEY_INVALID',
  'API_KEY_RATE_LIMITED',
  'VALIDATION_ERROR',
  'INVOICE_NOT_FOUND',
  'INVOICE_NUMBER_EXISTS',
  'INVOICE_NOT_EDITABLE',
  'INVOICE_NOT_RESUBMITTABLE',
  'INVOICE_CHANGED',
  'INVOICE_NOT_CREDITABLE',
  'CREDIT_EXCEEDS_INVOICE',
  'MISSING_LEGAL_MENTIONS',
  'ORGANIZATION_NOT_APPROVED',
  'ARTEFACT_NOT_AVAILABLE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'HEADERS_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'SESSION_MISSING',
  'SESSION_INVALID',
  'CSRF_REFUSED',
  'FORBIDDEN',
  'CREDENTIALS_INVALID',
  'TOO_MANY_ATTEMPTS',
  'TOO_MANY_STREAMS',
  'EMAIL_TAKEN',
  'SIGNUP_CLOSED',
  'API_KEY_NOT_FOUND',
  'INSUFFICIENT_SCOPE',
  'CONFIRMATION_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'EMAIL_NOT_VERIFIED',
  'ORGANIZATION_SWITCHED',
  'PASSKEY_NOT_FOUND',
  'SESSION_NOT_FOUND',
  'MEMBER_NOT_FOUND',
  'LAST_OWNER',
  'INVITATION_NOT_FOUND',
  'PRECONDITION_FAILED',
  'CALLER_REFUSED',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** `field` is the path as in the body: `lines[2].vatRate`. */
export interface FieldError {
  field: string
  message: string
}

export interface ApiErrorDetails {
  fieldErrors?: readonly FieldError[]
  retryAfterSeconds?: number
  cause?: unknown
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly fieldErrors: readonly FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: ApiErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.fieldErrors = details.fieldErrors
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

const retryAfterSeconds = 5

export function unavailable(what: string, cause?: unknown): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `${what} is not available right now; nothing was stored. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds, cause },
  )
}

/** A list of very many invoices: what was read for it may serve the next one. */
export function needsLonger(what: string, cause: unknown): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `${what} needs longer for this than a request may take; nothing was stored. Send the request again in ${retryAfterSeconds} seconds, or ask for less, such as a list between two dates.`,
    { retryAfterSeconds, cause },
  )
}

/** The request was sent and no answer came, so it may have been executed. */
export function noAnswer(what: string, cause: unknown): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `${what} did not answer in time, so the request may or may not have been carried out. Check its result, or send it again in ${retryAfterSeconds} seconds: an invoice number is never used twice.`,
    { retryAfterSeconds, cause },
  )
}

export function invoiceNotFound(): ApiError {
  return new ApiError(
    'INVOICE_NOT_FOUND',
    'No invoice with this id exists in your organization. Find it by its number: GET /v1/invoices?invoiceNumber=…',
  )
}

export function isErrorCode(code: string): code is ErrorCode {
  return (errorCodes as readonly string[]).includes(code)
}
