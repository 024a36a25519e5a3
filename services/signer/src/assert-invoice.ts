import { isCurrency } from '@einvoicing/domain/currency'
import { isBlank } from '@einvoicing/domain/xml-text'
import { neededMentions } from '@einvoicing/domain/legal-mentions'
import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'

/** What `invoices` guarantees: no document is better than a wrong one under a valid signature. */
export function assertInvoice(invoice: Invoice): LegalMentions {
  const { issuer, lines, vatSubtotals } = invoice
  if (!issuer) throw createDefect(invoice, 'has no issuer')
  const missing = neededMentions.filter((mention) => isBlank(issuer[mention]))
  if (missing.length > 0) throw createDefect(invoice, `lacks the issuer's ${missing.join(', ')}`)
  if (isBlank(invoice.invoiceNumber)) throw createDefect(invoice, 'has no number')
  if (!isCurrency(invoice.currency)) throw createDefect(invoice, 'has no known currency')
  if (lines.length === 0) throw createDefect(invoice, 'has no lines')
  assertSums(invoice)
  const rates = new Set(vatSubtotals.map(({ vatRate }) => vatRate))
  if (rates.size !== vatSubtotals.length || lines.some(({ vatRate }) => !rates.has(vatRate))) {
    throw createDefect(invoice, 'does not have one VAT subtotal for each rate')
  }
  return issuer
}

/** EN 16931 BR-CO-10, BR-CO-13 to BR-CO-15. */
function assertSums(invoice: Invoice): void {
  const { lines, vatSubtotals, amountHt, amountVat, amountTtc } = invoice
  const addsUp =
    sum(lines, ({ amountHt: amount }) => amount) === amountHt &&
    sum(vatSubtotals, ({ taxableAmount }) => taxableAmount) === amountHt &&
    sum(vatSubtotals, ({ vatAmount }) => vatAmount) === amountVat &&
    amountHt + amountVat === amountTtc
  if (!addsUp) throw createDefect(invoice, 'has amounts that do not add up')
}

function sum<T>(items: readonly T[], readAmount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + readAmount(item), 0)
}

function createDefect({ id }: Invoice, what: string): Error {
  return new Error(`invoice ${id} was sent for signature but ${what}`)
}
