import type { ErrorCode } from '@einvoicing/domain/api-error'

const tooMany = 'Too many attempts.'
const tooBig = 'What you entered is too large.'
const notUnderstood = 'The service did not understand this request. Reload the page and try again.'
const signInAgain = 'Your session has expired. Sign in again.'

const byCode = {
  API_KEY_MISSING: notUnderstood,
  API_KEY_INVALID: notUnderstood,
  API_KEY_RATE_LIMITED: 'Too many requests in a short time.',
  VALIDATION_ERROR: 'Some fields are not valid. Correct them and try again.',
  CREDENTIALS_INVALID: 'Incorrect email address or password.',
  TOO_MANY_ATTEMPTS: tooMany,
  EMAIL_TAKEN: 'An account with this email address already exists.',
  SIGNUP_CLOSED:
    'Sign-up is closed. An owner of your organization can invite you; for a new one ask the operator of this service.',
  SESSION_MISSING: 'Sign in first.',
  SESSION_INVALID: signInAgain,
  FORBIDDEN: 'Your role does not allow this. Ask an owner of the organization.',
  CSRF_REFUSED: 'The request was rejected: it did not come from this page. Reload the page.',
  LAST_OWNER: 'An organization needs at least one owner. Make another member an owner first.',
  INSUFFICIENT_SCOPE: notUnderstood,
  CONFIRMATION_REQUIRED: 'Nothing was saved: confirm your identity first.',
  EMAIL_NOT_VERIFIED:
    'Your email address is not verified yet. Open the link in the message we sent.',
  ORGANIZATION_SWITCHED:
    'Another page of this browser has switched to another organization. Switch back there, or reload this page. Nothing was saved.',
  SECOND_FACTOR_REQUIRED: 'Your organization requires a second factor. Set one up first.',
  PASSKEY_NOT_FOUND: 'This passkey no longer exists.',
  SESSION_NOT_FOUND: 'This session has already ended.',
  MEMBER_NOT_FOUND: 'This user is no longer a member of the organization.',
  INVITATION_NOT_FOUND: 'This invitation is no longer valid.',
  API_KEY_NOT_FOUND: 'This key has expired, was revoked or does not exist. Create a new one.',
  INVOICE_NOT_FOUND: 'This invoice does not exist in your organization.',
  INVOICE_NUMBER_EXISTS: 'This invoice number already exists.',
  INVOICE_NOT_EDITABLE: 'This invoice can no longer be edited: its status has changed.',
  INVOICE_NOT_RESUBMITTABLE: 'Only a failed invoice can be sent again.',
  INVOICE_NOT_CREDITABLE:
    'An invoice with this status, or with 200 credit notes, cannot be credited.',
  CREDIT_EXCEEDS_INVOICE: 'The credit note exceeds the remaining amount of its invoice.',
  INVOICE_CHANGED: 'This draft was changed in the meantime, in another tab or by another user.',
  PRECONDITION_FAILED: 'Another user has changed these details in the meantime.',
  ORGANIZATION_NOT_APPROVED:
    'Your organization cannot sign invoices: it is waiting for approval or is suspended.',
  MISSING_LEGAL_MENTIONS: 'Required legal details of your organization are missing.',
  ARTEFACT_NOT_AVAILABLE: 'This document is not available yet.',
  TOO_MANY_STREAMS: 'Too many pages are open at the same time. Close some of them.',
  PAYLOAD_TOO_LARGE: tooBig,
  HEADERS_TOO_LARGE: tooBig,
  UNSUPPORTED_MEDIA_TYPE: notUnderstood,
  BAD_REQUEST: notUnderstood,
  METHOD_NOT_ALLOWED: notUnderstood,
  CALLER_REFUSED: notUnderstood,
  REQUEST_TIMEOUT: 'Sending took too long. Try again.',
  SERVICE_UNAVAILABLE:
    'The service is temporarily unavailable. Check whether your change was saved, then try again.',
  INTERNAL_ERROR:
    'An internal error occurred. Check whether your change was saved, then try again.',
  NOT_FOUND: 'Not found.',
} satisfies Record<ErrorCode, string>

export const errors = {
  byCode: byCode as Readonly<Record<string, string>>,
  translateFieldError: (message: string): string => message,
  technical: 'Technical detail',
  unknown: 'The request was rejected.',
  retryAfter: (minutes: number) =>
    minutes <= 1 ? 'Try again in a minute.' : `Try again in ${minutes} minutes.`,
  offline: 'You are offline: nothing was saved. Try again once you are connected.',
  unanswered: 'The service did not respond. Check whether your change was saved, then try again.',
  fields: (count: number) =>
    count === 1
      ? 'Nothing was saved: correct the marked field.'
      : `Nothing was saved: correct the ${count} marked fields.`,
  toMentions: 'Complete the legal details',
  toMembers: 'See the owners',
  toInvoice: (number: string) => `Open invoice ${number}`,
}
