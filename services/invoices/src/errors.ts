/** Refusals of this service that take some telling. */

import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'

export function numberExists(invoiceNumber: string): ApiError {
  return new ApiError(
    'INVOICE_NUMBER_EXISTS',
    `An invoice numbered "${invoiceNumber}" exists already; find it with GET /v1/invoices?invoiceNumber=${encodeURIComponent(invoiceNumber)}.`,
  )
}

/** Someone else edited the draft since `readAt`, when the client read it. */
export function invoiceChanged({ updatedAt, editedBy }: Invoice, readAt: string): ApiError {
  const by = editedBy === undefined ? '' : ` by ${named(editedBy)}`
  return new ApiError(
    'INVOICE_CHANGED',
    `This draft was changed${by} at ${updatedAt}, after it was read here (${readAt}). Read it again, then send the change once more.`,
  )
}

/** As people say it: an email, or a key's id. */
function named(actor: string): string {
  return actor.replace(/^user:/, '').replace(/^api-key:/, 'the API key ')
}
