import * as grpc from '@grpc/grpc-js'
import type { Log } from '@einvoicing/runtime/log'
import { ApiError, noAnswer, type ErrorCode } from '@einvoicing/domain/api-error'
import { readError, writeError } from './error-metadata'

const { status } = grpc

const grpcStatus = {
  API_KEY_MISSING: status.UNAUTHENTICATED,
  API_KEY_INVALID: status.UNAUTHENTICATED,
  API_KEY_RATE_LIMITED: status.RESOURCE_EXHAUSTED,
  VALIDATION_ERROR: status.INVALID_ARGUMENT,
  INVOICE_NOT_FOUND: status.NOT_FOUND,
  INVOICE_NUMBER_EXISTS: status.ALREADY_EXISTS,
  INVOICE_NOT_EDITABLE: status.FAILED_PRECONDITION,
  INVOICE_NOT_RESUBMITTABLE: status.FAILED_PRECONDITION,
  INVOICE_CHANGED: status.ABORTED,
  INVOICE_NOT_CREDITABLE: status.FAILED_PRECONDITION,
  CREDIT_EXCEEDS_INVOICE: status.FAILED_PRECONDITION,
  ORGANIZATION_NOT_APPROVED: status.FAILED_PRECONDITION,
  MISSING_LEGAL_MENTIONS: status.FAILED_PRECONDITION,
  ARTEFACT_NOT_AVAILABLE: status.FAILED_PRECONDITION,
  NOT_FOUND: status.NOT_FOUND,
  METHOD_NOT_ALLOWED: status.UNIMPLEMENTED,
  PAYLOAD_TOO_LARGE: status.RESOURCE_EXHAUSTED,
  HEADERS_TOO_LARGE: status.RESOURCE_EXHAUSTED,
  UNSUPPORTED_MEDIA_TYPE: status.INVALID_ARGUMENT,
  BAD_REQUEST: status.INVALID_ARGUMENT,
  REQUEST_TIMEOUT: status.DEADLINE_EXCEEDED,
  INTERNAL_ERROR: status.INTERNAL,
  SERVICE_UNAVAILABLE: status.UNAVAILABLE,
  SESSION_MISSING: status.UNAUTHENTICATED,
  SESSION_INVALID: status.UNAUTHENTICATED,
  CSRF_REFUSED: status.PERMISSION_DENIED,
  FORBIDDEN: status.PERMISSION_DENIED,
  CREDENTIALS_INVALID: status.UNAUTHENTICATED,
  TOO_MANY_ATTEMPTS: status.RESOURCE_EXHAUSTED,
  TOO_MANY_STREAMS: status.RESOURCE_EXHAUSTED,
  EMAIL_TAKEN: status.ALREADY_EXISTS,
  SIGNUP_CLOSED: status.PERMISSION_DENIED,
  API_KEY_NOT_FOUND: status.NOT_FOUND,
  INSUFFICIENT_SCOPE: status.PERMISSION_DENIED,
  CONFIRMATION_REQUIRED: status.PERMISSION_DENIED,
  SECOND_FACTOR_REQUIRED: status.PERMISSION_DENIED,
  EMAIL_NOT_VERIFIED: status.PERMISSION_DENIED,
  ORGANIZATION_SWITCHED: status.FAILED_PRECONDITION,
  PASSKEY_NOT_FOUND: status.NOT_FOUND,
  SESSION_NOT_FOUND: status.NOT_FOUND,
  MEMBER_NOT_FOUND: status.NOT_FOUND,
  LAST_OWNER: status.FAILED_PRECONDITION,
  INVITATION_NOT_FOUND: status.NOT_FOUND,
  PRECONDITION_FAILED: status.ABORTED,
  CALLER_REFUSED: status.PERMISSION_DENIED,
} satisfies Record<ErrorCode, grpc.status>

export function toStatusCode(error: unknown): grpc.status {
  return error instanceof ApiError ? grpcStatus[error.code] : status.INTERNAL
}

/** A defect is logged and returned without its text. */
export function apiErrorToStatus(
  error: unknown,
  logFields: object,
  log: Log,
): Omit<grpc.StatusObject, 'metadata'> & Partial<grpc.StatusObject> {
  if (!(error instanceof ApiError)) {
    log.error({ err: error, ...logFields }, 'call failed')
    return { code: status.INTERNAL, details: 'internal error' }
  }
  if (error.cause) log.warn({ err: error, ...logFields }, 'call answered with an error')
  const metadata = new grpc.Metadata()
  writeError(metadata, error)
  // The caller decides about retries, not the channel.
  metadata.set('grpc-retry-pushback-ms', '-1')
  return { code: toStatusCode(error), details: error.code, metadata }
}

export function statusName(code: grpc.status = status.UNKNOWN): string {
  return status[code]
}

export function statusToError(error: grpc.ServiceError, method: string): Error {
  const carried = readError(error.metadata)
  if (carried) return carried
  if (isBroken(error)) {
    return noAnswer('The service', new Error(`${method}: ${error.message}`))
  }
  return new Error(`${method}: ${error.message}`, { cause: error })
}

/** During an upgrade: the server is older than the method. */
export function isUnimplemented(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } }
  return cause?.code === status.UNIMPLEMENTED
}

// No handler of ours returns these: the connection broke, or the server is stopping.
const broken = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED])

// grpc-js reports most broken streams as INTERNAL, which is a handler's defect too.
const brokenStream =
  /^(Received RST_STREAM|Failed to start HTTP\/2 stream|No (status information|message) received)/

function isBroken({ code, details }: grpc.ServiceError): boolean {
  if (broken.has(code)) return true
  return (code === status.INTERNAL || code === status.UNKNOWN) && brokenStream.test(details)
}
