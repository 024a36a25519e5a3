import { InvoiceStatus } from '@einvoicing/proto/invoice'

export const statuses = Object.values(InvoiceStatus).filter(
  (status) => status !== InvoiceStatus.INVOICE_STATUS_UNSPECIFIED,
)

export function zeroCounts(): Record<InvoiceStatus, number> {
  const zeros = statuses.map((status) => [status, 0])
  return Object.fromEntries(zeros) as Record<InvoiceStatus, number>
}

/** ACCEPTED is the rest of the total, which is read last, so it is never negative. */
export function completeCounts(
  counted: readonly { status: InvoiceStatus; count: number }[],
  total: number,
): Record<InvoiceStatus, number> {
  const counts = zeroCounts()
  let remaining = total
  for (const { status, count } of counted) {
    counts[status] = count
    remaining -= count
  }
  counts.ACCEPTED = Math.max(0, remaining)
  return counts
}
