import { isNeverSent } from '@einvoicing/domain/creditable'
import type { InvoiceStatus, ListedInvoice } from '../api/invoices'

const uncounted: readonly InvoiceStatus[] = ['CANCELLED', 'REJECTED']

export function sumByCurrency(listed: readonly ListedInvoice[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const invoice of listed) {
    const { status, currency, amountTtc, type } = invoice
    if (uncounted.includes(status) || isNeverSent(invoice)) continue
    const amount = type === 'CREDIT_NOTE' ? -amountTtc : amountTtc
    sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return sums
}
