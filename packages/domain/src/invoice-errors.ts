import { ApiError } from './api-error'
import type { InvoiceStatus } from './invoice-status'

type Status = InvoiceStatus | 'INVOICE_STATUS_UNSPECIFIED'

export function numberExists(invoiceNumber: string): ApiError {
  return new ApiError(
    'INVOICE_NUMBER_EXISTS',
    `An invoice numbered "${invoiceNumber}" exists already; find it with GET /v1/invoices?invoiceNumber=${encodeURIComponent(invoiceNumber)}.`,
  )
}

const remedies: Record<Status, string> = {
  INVOICE_STATUS_UNSPECIFIED: '',
  PENDING: '',
  SIGNED: 'A signed invoice is corrected by a credit note once it is accepted.',
  TRANSMITTED: 'A transmitted invoice is corrected by a credit note once it is accepted.',
  ACCEPTED: 'An accepted invoice is corrected by a credit note.',
  REJECTED: 'Issue the corrected invoice under a new number.',
  FAILED: 'Send it again with POST /v1/invoices/:id/resubmit.',
  CANCELLED: 'Issue a new invoice under a new number.',
}

export function invoiceNotEditable(status: Status): ApiError {
  return new ApiError(
    'INVOICE_NOT_EDITABLE',
    `This invoice is ${status}; only a PENDING one can be changed, cancelled or signed. ${remedies[status]}`,
  )
}

export function invoiceNotResubmittable(status: Status): ApiError {
  return new ApiError(
    'INVOICE_NOT_RESUBMITTABLE',
    `Only a FAILED invoice can be sent again; this one is ${status}.`,
  )
}

export function invoiceChanged(
  { updatedAt, editedBy }: { updatedAt: string; editedBy?: string | undefined },
  readAt: string,
): ApiError {
  const editor = editedBy?.replace(/^user:/, '').replace(/^api-key:/, 'the API key ')
  const by = editor === undefined ? '' : ` by ${editor}`
  return new ApiError(
    'INVOICE_CHANGED',
    `This draft was changed${by} at ${updatedAt}, after you read it (${readAt}). Read it again, then send the change once more.`,
  )
}

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
    'This invoice could not be transmitted, so it has no QR code: send it again (POST /v1/invoices/:id/resubmit).',
  CANCELLED: 'This invoice was cancelled before it was signed, so it has no QR code.',
}

export function qrNotAvailable(status: Status): ApiError {
  return new ApiError('ARTEFACT_NOT_AVAILABLE', noQrReasons[status])
}
