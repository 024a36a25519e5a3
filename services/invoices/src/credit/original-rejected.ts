import type { Invoice, InvoiceStatus } from '@einvoicing/proto/invoice'

export const originalRejected = 'PRECEDING_INVOICE_REJECTED'

/** FAILED for ever, because it cannot be resubmitted: counted apart. */
export type CountedStatus = InvoiceStatus | typeof originalRejected

export function toCountedStatus({
  status,
  dgiErrorCode,
}: Pick<Invoice, 'status' | 'dgiErrorCode'>): CountedStatus {
  return status === 'FAILED' && dgiErrorCode === originalRejected ? originalRejected : status
}
