import { isNeverSent, originalRejectedCode } from '@einvoicing/domain/creditable'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'

/** FAILED for ever, because it cannot be resubmitted: counted apart. */
export type CountedStatus = InvoiceStatus | typeof originalRejectedCode

export function toCountedStatus(invoice: Pick<Invoice, 'status' | 'dgiErrorCode'>): CountedStatus {
  const { status } = invoice
  return status === 'FAILED' && isNeverSent(invoice) ? originalRejectedCode : status
}

export const statuses = Object.values(InvoiceStatus).filter(
  (status) => status !== InvoiceStatus.INVOICE_STATUS_UNSPECIFIED,
)

export const countedStatuses: readonly CountedStatus[] = [...statuses, originalRejectedCode]

export function zeroCounts(): Record<InvoiceStatus, number> {
  const zeros = statuses.map((status) => [status, 0])
  return Object.fromEntries(zeros) as Record<InvoiceStatus, number>
}

/** ACCEPTED is the rest of the total, which is read last, so it is never negative. */
export function completeCounts(
  counted: readonly { status: InvoiceStatus; count: number }[],
  total: number,
  rejectedOriginals = 0,
): Record<CountedStatus, number> {
  const counts = zeroCounts()
  let remaining = total
  for (const { status, count } of counted) {
    counts[status] = count
    remaining -= count
  }
  counts.ACCEPTED = Math.max(0, remaining)
  counts.FAILED = Math.max(0, counts.FAILED - rejectedOriginals)
  return { ...counts, [originalRejectedCode]: rejectedOriginals }
}
