import { ApiError } from './api-error'
import { isNeverSent } from './creditable'
import type { InvoiceStatus } from './invoice-status'
import { limits } from './limits'

type Status = InvoiceStatus | 'INVOICE_STATUS_UNSPECIFIED'

export function numberExists(invoiceNumber: string): ApiError {
  return new ApiError(
    'INVOICE_NUMBER_EXISTS',
    `An invoice numbered "${invoiceNumber}" already exists: find it with GET /v1/invoices?invoiceNumber=${encodeURIComponent(invoiceNumber)}.`,
  )
}

interface Document {
  status: Status
  type?: string | undefined
  dgiErrorCode?: string | undefined
}

const toCreditNote = 'Correct an invoice with a credit note: POST /v1/invoices/:id/credit-note.'
const toReverse = 'To reverse it, issue a new invoice.'

const originalRejected =
  'The tax authority rejected the invoice that this credit note corrects, so it'
const cannotBeSent = `${originalRejected} cannot be sent: issue a corrected invoice under a new number.`

const writeRemedies = (name: string, correction: string): Record<Status, string> => ({
  INVOICE_STATUS_UNSPECIFIED: '',
  PENDING: '',
  SIGNED: correction,
  TRANSMITTED: correction,
  ACCEPTED: correction,
  REJECTED: `Issue the corrected ${name} under a new number.`,
  FAILED: 'See its dgiErrorCode, and send it again with POST /v1/invoices/:id/resubmit.',
  CANCELLED: `Issue a new ${name} under a new number.`,
})

export function invoiceNotEditable(document: Document): ApiError {
  const { status, type } = document
  const [name, correction] =
    type === 'CREDIT_NOTE' ? ['credit note', toReverse] : ['invoice', toCreditNote]
  const remedy = isNeverSent(document) ? cannotBeSent : writeRemedies(name, correction)[status]
  return new ApiError(
    'INVOICE_NOT_EDITABLE',
    `This ${name} is ${status}; only a PENDING one can be changed, cancelled or signed. ${remedy}`,
  )
}

export function invoiceNotResubmittable(status: Status): ApiError {
  return new ApiError(
    'INVOICE_NOT_RESUBMITTABLE',
    `Only a FAILED invoice can be sent again; this one is ${status}.`,
  )
}

const creditRemedies: Record<Status, string> = {
  INVOICE_STATUS_UNSPECIFIED: '',
  PENDING: 'Edit it (PUT /v1/invoices/:id) or cancel it (DELETE).',
  SIGNED: '',
  TRANSMITTED: '',
  ACCEPTED: '',
  REJECTED: 'The tax authority never accepted it: issue a corrected invoice under a new number.',
  FAILED: 'Send it again first: POST /v1/invoices/:id/resubmit.',
  CANCELLED: 'It was never issued: there is nothing to correct.',
}

export function invoiceNotCreditable(original: {
  invoiceNumber: string
  status: Status
  type?: string | undefined
  isFull?: boolean
}): ApiError {
  const { invoiceNumber, status, type, isFull = false } = original
  const reason = isFull
    ? `"${invoiceNumber}" has ${limits.creditNotesOfInvoice} credit notes, the maximum, so it cannot be credited further.`
    : type === 'CREDIT_NOTE'
      ? `"${invoiceNumber}" is itself a credit note. ${toReverse}`
      : `"${invoiceNumber}" is ${status}, and a credit note corrects an invoice that is SIGNED, TRANSMITTED or ACCEPTED. ${creditRemedies[status]}`
  return new ApiError('INVOICE_NOT_CREDITABLE', reason)
}

/** Each message names a rate and its remainder. */
export function creditExceedsInvoice(messages: readonly string[]): ApiError {
  return new ApiError(
    'CREDIT_EXCEEDS_INVOICE',
    'The credit note exceeds the remaining amount of its invoice: see errors. Nothing was stored, and the number is still free.',
    { fieldErrors: messages.map((message) => ({ field: 'lines', message })) },
  )
}

export function precedingInvoiceRejected(): ApiError {
  return new ApiError('INVOICE_NOT_RESUBMITTABLE', cannotBeSent)
}

export function invoiceChanged(
  { updatedAt, editedBy }: { updatedAt: string; editedBy?: string | undefined },
  readAt: string,
): ApiError {
  if (!isVersion(readAt) || readAt >= updatedAt) {
    return new ApiError(
      'INVOICE_CHANGED',
      `If-Match "${readAt}" is not the updatedAt of this draft, which is "${updatedAt}". Read it again, then send your request again.`,
    )
  }
  const editor = editedBy?.replace(/^user:/, '').replace(/^api-key:/, 'the API key ')
  const by = editor === undefined ? '' : ` by ${editor}`
  return new ApiError(
    'INVOICE_CHANGED',
    `This draft was changed${by} at ${updatedAt}, after you read it (${readAt}). Read it again, then send your request again.`,
  )
}

// As `updatedAt` is written: another form was never a version.
const isVersion = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)

export function missingLegalMentions(missing: readonly string[]): ApiError {
  return new ApiError(
    'MISSING_LEGAL_MENTIONS',
    `The legal details of your organization are incomplete (${missing.join(', ')}). Complete them at /dashboard, then send the invoice again.`,
    {
      fieldErrors: missing.map((field) => ({ field, message: 'must be completed at /dashboard' })),
    },
  )
}

const waitForDecision = 'wait until GET /v1/invoices/:id/status says ACCEPTED'

const noQr = 'The tax authority sent no QR code for this invoice.'

const noQrReasons: Record<Status, string> = {
  INVOICE_STATUS_UNSPECIFIED: noQr,
  PENDING:
    'A PENDING invoice has no QR code, because the tax authority has not received it: sign it first (POST /v1/invoices/:id/sign).',
  SIGNED: `The tax authority has not accepted this invoice yet, so it has no QR code: ${waitForDecision}.`,
  TRANSMITTED: `The tax authority has not accepted this invoice yet, so it has no QR code: ${waitForDecision}.`,
  ACCEPTED: noQr,
  REJECTED: 'The tax authority rejected this invoice, so it has no QR code: see dgiErrorCode.',
  FAILED:
    'The tax authority made no decision in time, so this invoice has no QR code: see its dgiErrorCode, and send it again (POST /v1/invoices/:id/resubmit).',
  CANCELLED: 'This invoice was cancelled before it was signed, so it has no QR code.',
}

export function qrNotAvailable(document: Document): ApiError {
  const reason = isNeverSent(document)
    ? `${originalRejected} was not sent and has no QR code.`
    : noQrReasons[document.status]
  return new ApiError('ARTEFACT_NOT_AVAILABLE', reason)
}
