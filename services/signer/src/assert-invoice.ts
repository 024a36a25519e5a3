import { isCurrency } from '@einvoicing/domain/currency'
import { isBlank } from '@einvoicing/domain/xml-text'
import { neededMentions } from '@einvoicing/domain/legal-mentions'
import { documentKinds, readKind } from '@einvoicing/profile/document-kinds'
import { findVatCategory } from '@einvoicing/profile/vat'
import type {
  AllowanceCharges,
  Invoice,
  LegalMentions,
  VatSubtotal,
} from '@einvoicing/proto/invoice'

/** Guaranteed by `invoices`; no document is better than a wrong one under a valid signature. */
export function assertInvoice(invoice: Invoice): LegalMentions {
  const { issuer, lines, vatSubtotals } = invoice
  if (!issuer) throw createDefect(invoice, 'has no issuer')
  const missing = neededMentions.filter((mention) => isBlank(issuer[mention]))
  if (missing.length > 0) throw createDefect(invoice, `lacks the issuer's ${missing.join(', ')}`)
  if (isBlank(invoice.invoiceNumber)) throw createDefect(invoice, 'has no number')
  if (!isCurrency(invoice.currency)) throw createDefect(invoice, 'has no known currency')
  if (lines.length === 0) throw createDefect(invoice, 'has no lines')
  assertReferences(invoice)
  assertSums(invoice)
  const toKey = (taxed: Pick<VatSubtotal, 'vatRate' | 'vatCategory'>) =>
    `${findVatCategory(taxed)} ${taxed.vatRate}`
  const keys = new Set(vatSubtotals.map(toKey))
  if (keys.size !== vatSubtotals.length || lines.some((line) => !keys.has(toKey(line)))) {
    throw createDefect(invoice, 'does not have one VAT subtotal for each rate')
  }
  return issuer
}

/** EN 16931 BR-55; a credit note states what it corrects and why. */
function assertReferences(invoice: Invoice): void {
  const { precedingInvoices, correctionReason } = invoice
  const preceding = precedingInvoices?.items ?? []
  if (preceding.some(({ invoiceNumber }) => isBlank(invoiceNumber))) {
    throw createDefect(invoice, 'refers to an invoice without a number')
  }
  const isCreditNote = readKind(invoice) === documentKinds.creditNote
  if (isCreditNote && (preceding.length === 0 || isBlank(correctionReason))) {
    throw createDefect(invoice, 'does not say which invoice it corrects and why')
  }
}

/** EN 16931 BR-CO-10, BR-CO-13 to BR-CO-15. */
function assertSums(invoice: Invoice): void {
  const { lines, vatSubtotals, amountHt, amountVat, amountTtc } = invoice
  const shares = (sent: AllowanceCharges | undefined) =>
    sum(sent?.items ?? [], (item) => sum(item.shares, ({ amount }) => amount))
  const [allowances, charges] = [shares(invoice.allowances), shares(invoice.charges)]
  const lineTotal = sum(lines, ({ amountHt: amount }) => amount)
  const addsUp =
    lineTotal === (invoice.lineTotalHt ?? amountHt) &&
    lineTotal - allowances + charges === amountHt &&
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
