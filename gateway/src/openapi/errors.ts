import { organizationNotApproved } from '@einvoicing/domain/approval'
import { apiKeyInvalid, apiKeyNotFound, insufficientScope } from '@einvoicing/access/api-key'
import {
  confirmationRequired,
  credentialsInvalid,
  emailNotVerified,
  emailTaken,
  invitationNotFound,
  lastOwner,
  memberNotFound,
  mentionsChanged,
  organizationSwitched,
  passkeyNotFound,
  secondFactorRequired,
  sessionNotFound,
  sessionOver,
  signUpClosed,
  tooManyAttempts,
} from '@einvoicing/domain/account-errors'
import { invoiceNotFound, unavailable, type ApiError } from '@einvoicing/domain/api-error'
import {
  creditExceedsInvoice,
  invoiceChanged,
  invoiceNotCreditable,
  invoiceNotEditable,
  invoiceNotResubmittable,
  missingLegalMentions,
  numberExists,
  qrNotAvailable,
} from '@einvoicing/domain/invoice-errors'
import { limits } from '@einvoicing/domain/limits'
import { forbidden } from '@einvoicing/domain/role'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { apiKeyMissing } from '../authenticate'
import { tooManyStreams } from '../dashboard/events'
import { forgeryRejected, sessionMissing } from '../dashboard/session'
import type { JsonSchema } from '../fields/json-schema'
import { createBodyTooLarge } from '../http/body/body-too-large'
import { unsupportedMediaType } from '../http/body/read-json'
import { createNotFound, httpStatus, internalError, MethodNotAllowed } from '../http/error-to-http'
import { toBrokenRequestError } from '../http/server/broken-request'
import { vatRateRule } from '../invoices/invoice-schema'
import { rateLimited } from '../rate-limit/rate-limit'
import type { PublicErrorCode } from '../routes/api-route'
import { refToHeaders, type ResponseObject } from './responses'

const readAt = '2026-05-03T09:30:00.000Z'
const changed = { updatedAt: '2026-05-03T09:41:07.120Z', editedBy: 'user:nadia@example.com' }

const samples: Record<PublicErrorCode, ApiError> = {
  API_KEY_MISSING: apiKeyMissing(undefined),
  API_KEY_INVALID: apiKeyInvalid(),
  API_KEY_RATE_LIMITED: rateLimited('key', limits.requestsPerMinute, 12),
  VALIDATION_ERROR: createValidationError([
    { field: 'lines[0].vatRate', message: vatRateRule(19) ?? '' },
  ]),
  INVOICE_NOT_FOUND: invoiceNotFound(),
  INVOICE_NUMBER_EXISTS: numberExists('F-1'),
  INVOICE_NOT_EDITABLE: invoiceNotEditable({ status: 'SIGNED' }),
  INVOICE_NOT_RESUBMITTABLE: invoiceNotResubmittable('ACCEPTED'),
  INVOICE_CHANGED: invoiceChanged(changed, readAt),
  INVOICE_NOT_CREDITABLE: invoiceNotCreditable({ invoiceNumber: 'F-1', status: 'PENDING' }),
  CREDIT_EXCEEDS_INVOICE: creditExceedsInvoice([
    'VAT 20 %: 1500.00 to credit, 1200.00 left of invoice F-1',
  ]),
  ORGANIZATION_NOT_APPROVED: organizationNotApproved('PENDING'),
  MISSING_LEGAL_MENTIONS: missingLegalMentions(['rc']),
  ARTEFACT_NOT_AVAILABLE: qrNotAvailable({ status: 'SIGNED' }),
  NOT_FOUND: createNotFound(),
  METHOD_NOT_ALLOWED: new MethodNotAllowed('PATCH', ['GET', 'HEAD', 'POST']),
  PAYLOAD_TOO_LARGE: createBodyTooLarge(limits.bodyBytes),
  HEADERS_TOO_LARGE: toBrokenRequestError({ code: 'HPE_HEADER_OVERFLOW' }),
  UNSUPPORTED_MEDIA_TYPE: unsupportedMediaType(),
  BAD_REQUEST: toBrokenRequestError({}),
  REQUEST_TIMEOUT: toBrokenRequestError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
  INTERNAL_ERROR: internalError('7f9c…'),
  SERVICE_UNAVAILABLE: unavailable('The signer'),
  SESSION_MISSING: sessionMissing(),
  SESSION_INVALID: sessionOver(),
  CSRF_REFUSED: forgeryRejected(),
  FORBIDDEN: forbidden('MEMBER', 'OWNER'),
  CREDENTIALS_INVALID: credentialsInvalid(),
  TOO_MANY_ATTEMPTS: tooManyAttempts(60_000),
  TOO_MANY_STREAMS: tooManyStreams(),
  EMAIL_TAKEN: emailTaken(),
  SIGNUP_CLOSED: signUpClosed(),
  API_KEY_NOT_FOUND: apiKeyNotFound(),
  INSUFFICIENT_SCOPE: insufficientScope('invoices:write'),
  CONFIRMATION_REQUIRED: confirmationRequired(),
  SECOND_FACTOR_REQUIRED: secondFactorRequired(),
  EMAIL_NOT_VERIFIED: emailNotVerified(),
  ORGANIZATION_SWITCHED: organizationSwitched(),
  PASSKEY_NOT_FOUND: passkeyNotFound(),
  SESSION_NOT_FOUND: sessionNotFound(),
  MEMBER_NOT_FOUND: memberNotFound(),
  LAST_OWNER: lastOwner(),
  INVITATION_NOT_FOUND: invitationNotFound(),
  PRECONDITION_FAILED: mentionsChanged(),
}

const publicCodes = Object.keys(samples) as PublicErrorCode[]

export const errorExamples = Object.fromEntries(
  publicCodes.map((code) => {
    const { message, fieldErrors: errors = null } = samples[code]
    return [code, { value: { code, message, data: null, errors } }]
  }),
)

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The envelope of every error.',
  properties: {
    code: {
      type: 'string',
      enum: publicCodes,
      description: 'Stable machine-readable code; branch on this.',
    },
    message: { type: 'string', description: 'For people; the wording may change.' },
    data: { type: 'null' },
    errors: {
      type: ['array', 'null'],
      items: { $ref: '#/components/schemas/FieldError' },
    },
  },
  required: ['code', 'message', 'data', 'errors'],
}

export const fieldErrorSchema: JsonSchema = {
  type: 'object',
  properties: {
    field: {
      type: 'string',
      description: 'The path in the body, a query parameter, or `body` for the body as a whole.',
      examples: ['lines[2].vatRate'],
    },
    message: { type: 'string' },
  },
  required: ['field', 'message'],
}

export function toErrorResponses(
  codes: readonly PublicErrorCode[],
): Record<string, ResponseObject> {
  const byStatus = new Map<number, PublicErrorCode[]>()
  for (const code of codes) {
    byStatus.set(httpStatus[code], [...(byStatus.get(httpStatus[code]) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, together]) => [String(status), toErrorResponse(status, together)]),
  )
}

function toErrorResponse(status: number, codes: readonly PublicErrorCode[]): ResponseObject {
  return {
    description: codes.join(', '),
    headers: {
      ...refToHeaders('X-Request-Id'),
      ...([429, 503].includes(status) && refToHeaders('Retry-After')),
      ...(codes.some((code) => code === 'API_KEY_INVALID' || code === 'INSUFFICIENT_SCOPE') &&
        refToHeaders('WWW-Authenticate')),
    },
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/ErrorEnvelope',
          properties: { code: { enum: codes } },
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  }
}
