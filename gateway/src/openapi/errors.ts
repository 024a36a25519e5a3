/** Every refusal a client can meet, as the document tells it: by status, with an example each. */

import type { FieldError, ErrorCode } from '@einvoicing/domain/api-error'
import type { JsonSchema } from '../fields/json-schema'
import { httpStatus } from '../http/error-to-http'
import { header, type ResponseObject } from './responses'

/** Without what only services say to each other. */
export type PublicCode = Exclude<ErrorCode, 'CALLER_REFUSED'>

interface Sample {
  message: string
  errors?: FieldError[]
}

const samples: Record<PublicCode, Sample> = {
  API_KEY_MISSING: {
    message: 'Send your API key in the header "Authorization: Bearer <API key>".',
  },
  API_KEY_INVALID: {
    message:
      'The API key is not valid: it is unknown or was revoked. Compare its last four characters with those at /dashboard, or make a new key there.',
  },
  API_KEY_RATE_LIMITED: {
    message: 'This API key has made its 300 requests of this minute. Try again in 12 seconds.',
  },
  VALIDATION_ERROR: {
    message: 'Invalid request: check lines[0].vatRate (details in errors).',
    errors: [
      { field: 'lines[0].vatRate', message: 'must be one of 0, 7, 10, 14, 20 (percent); got 19' },
    ],
  },
  INVOICE_NOT_FOUND: {
    message:
      'No invoice with this id exists in your organization. Find it by its number: GET /v1/invoices?invoiceNumber=…',
  },
  INVOICE_NUMBER_EXISTS: {
    message:
      'An invoice numbered "F-1" exists already; find it with GET /v1/invoices?invoiceNumber=F-1.',
  },
  INVOICE_NOT_EDITABLE: { message: 'This invoice is SIGNED; only a PENDING one can be changed.' },
  INVOICE_NOT_RESUBMITTABLE: {
    message: 'Only a FAILED invoice can be sent again; this one is ACCEPTED.',
  },
  INVOICE_CHANGED: {
    message:
      'This draft was changed by nadia@example.com at 2026-05-03T09:41:07.120Z, after it was read here (2026-05-03T09:30:00.000Z). Read it again, then send the change once more.',
  },
  MISSING_LEGAL_MENTIONS: {
    message:
      "The organization's legal mentions are incomplete (rc). Complete them at /dashboard, then send the invoice again.",
    errors: [{ field: 'rc', message: 'must be completed at /dashboard' }],
  },
  ARTEFACT_NOT_AVAILABLE: { message: 'The QR code exists once the invoice is ACCEPTED.' },
  NOT_FOUND: { message: 'There is nothing at this path; /docs tells every path there is.' },
  METHOD_NOT_ALLOWED: { message: 'PATCH is not allowed here; this path answers GET, HEAD, POST.' },
  PAYLOAD_TOO_LARGE: {
    message: 'The body is larger than 2097152 bytes (after decoding): send a smaller one.',
  },
  HEADERS_TOO_LARGE: { message: 'The headers are larger than 16 KiB: send fewer or shorter ones.' },
  UNSUPPORTED_MEDIA_TYPE: {
    message: 'Send the body as "Content-Type: application/json", in UTF-8.',
  },
  BAD_REQUEST: { message: 'This is not a well-formed HTTP/1.1 request: use an HTTP library.' },
  REQUEST_TIMEOUT: { message: 'The request did not arrive in time: send it again.' },
  INTERNAL_ERROR: {
    message:
      'The service failed on this request; whether it was carried out is not known. Look for its result or send it again once; if it fails again, tell support the request id 7f9c….',
  },
  SERVICE_UNAVAILABLE: {
    message:
      'The signer is not available right now; nothing was stored. Send the request again in 5 seconds.',
  },
  SESSION_MISSING: { message: 'Nobody is signed in: sign in at /dashboard first.' },
  SESSION_INVALID: { message: 'Your session is over. Sign in again.' },
  CSRF_REFUSED: {
    message: 'A change by session needs the header "X-Requested-With: dashboard": send it.',
  },
  FORBIDDEN: {
    message:
      'This needs the role OWNER, and yours is MEMBER. Ask an owner of your organization to do it, or to change your role.',
  },
  CREDENTIALS_INVALID: { message: 'Incorrect email or password.' },
  TOO_MANY_ATTEMPTS: { message: 'There were too many attempts. Try again in 60 seconds.' },
  TOO_MANY_STREAMS: {
    message:
      'Your organization has 20 event streams open here already. Close a page, or try again in 30 seconds.',
  },
  EMAIL_TAKEN: {
    message: 'There is already a user with this email. Sign in, or use another email.',
  },
  SIGNUP_CLOSED: { message: 'Signing up is closed here. Ask the operator of this service.' },
  API_KEY_NOT_FOUND: {
    message:
      'No API key with this id exists in your organization; GET /dashboard/api/api-keys lists those that do.',
  },
  MEMBER_NOT_FOUND: {
    message: 'No member or invitation with this id exists in your organization.',
  },
  LAST_OWNER: {
    message: 'This is the only OWNER of your organization: make another member OWNER first.',
  },
  INVITATION_NOT_FOUND: {
    message:
      'This invitation does not hold: it was used, withdrawn or replaced by a newer one, or is over seven days old. Ask who invited you for a new one.',
  },
  PRECONDITION_FAILED: {
    message:
      'The legal mentions were changed since you read them. Read them again, apply your change to them, and send it with their new ETag.',
  },
}

const publicCodes = Object.keys(samples) as PublicCode[]

/** `components.examples`, by code. */
export const refusalExamples = Object.fromEntries(
  publicCodes.map((code) => {
    const { message, errors = null } = samples[code]
    return [code, { value: { code, message, data: null, errors } }]
  }),
)

export const refusalSchema: JsonSchema = {
  type: 'object',
  description: 'The envelope of every error.',
  properties: {
    code: { type: 'string', enum: publicCodes, description: 'Stable; decide by this.' },
    message: { type: 'string', description: 'For people; may change.' },
    data: { type: 'null' },
    errors: {
      type: ['array', 'null'],
      items: { $ref: '#/components/schemas/FieldFault' },
    },
  },
  required: ['code', 'message', 'data', 'errors'],
}

export const fieldFaultSchema: JsonSchema = {
  type: 'object',
  properties: {
    field: {
      type: 'string',
      description: 'The path as in the body, a query parameter, or `body` as a whole.',
      examples: ['lines[2].vatRate'],
    },
    message: { type: 'string' },
  },
  required: ['field', 'message'],
}

/** By status. */
export function refusalResponses(codes: readonly PublicCode[]): Record<string, ResponseObject> {
  const byStatus = new Map<number, PublicCode[]>()
  for (const code of codes) {
    byStatus.set(httpStatus[code], [...(byStatus.get(httpStatus[code]) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, together]) => [String(status), refusalResponse(status, together)]),
  )
}

function refusalResponse(status: number, codes: readonly PublicCode[]): ResponseObject {
  return {
    description: codes.join(', '),
    headers: {
      ...header('X-Request-Id'),
      ...([429, 503].includes(status) && header('Retry-After')),
      ...(codes.includes('API_KEY_INVALID') && header('WWW-Authenticate')),
    },
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Refusal',
          properties: { code: { enum: codes } },
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  }
}
