import type { InvoiceStatus } from './invoice-status'

const creditableStatuses: readonly string[] = [
  'SIGNED',
  'TRANSMITTED',
  'ACCEPTED',
] satisfies InvoiceStatus[]

export const originalRejectedCode = 'PRECEDING_INVOICE_REJECTED'

/** A credit note that corrects a rejected invoice: it credits nothing. */
export function isNeverSent({ dgiErrorCode }: { dgiErrorCode?: string | null | undefined }) {
  return dgiErrorCode === originalRejectedCode
}

export function isCreditable({ status, type }: { status: string; type?: string | undefined }) {
  return creditableStatuses.includes(status) && type !== 'CREDIT_NOTE'
}
