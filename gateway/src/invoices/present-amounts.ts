import { findVatCategory, joinExemptionReasons } from '@einvoicing/profile/vat'
import type { InvoiceStatus } from '@einvoicing/domain/invoice-status'
import { isCreditable } from '@einvoicing/domain/creditable'
import type { AllowanceCharges, Credit, Invoice } from '@einvoicing/proto/invoice'
import { toExactNumber } from '../json/exact-json'

/** Stored only for invoices in which they differ. */
export function presentAmounts(invoice: Invoice, unit: number) {
  const toUnits = (amount: number | undefined) => (amount === undefined ? null : amount / unit)
  return {
    prepaidAmount: invoice.prepaidAmount === undefined ? null : Number(invoice.prepaidAmount),
    allowances: presentAllowances(invoice.allowances, unit),
    charges: presentAllowances(invoice.charges, unit),
    stampDuty: invoice.stampDuty ?? null,
    vatWithholdingPercent: invoice.vatWithholdingPercent ?? null,
    lineTotalHt: (invoice.lineTotalHt ?? invoice.amountHt) / unit,
    allowanceTotal: (invoice.allowanceTotal ?? 0) / unit,
    chargeTotal: (invoice.chargeTotal ?? 0) / unit,
    amountDue: (invoice.amountDue ?? invoice.amountTtc) / unit,
    stampDutyAmount: toUnits(invoice.stampDutyAmount),
    vatWithheldAmount: toUnits(invoice.vatWithheldAmount),
    amountAfterWithholding: toUnits(invoice.amountAfterWithholding),
  }
}

export function presentAllowances(sent: AllowanceCharges | undefined, unit: number) {
  if (!sent) return null
  return sent.items.map(({ percent, vatRate, vatCategory, reason, reasonCode, shares }) => ({
    amount: shares.reduce((sum, { amount }) => sum + amount, 0) / unit,
    percent: percent === undefined ? null : toExactNumber(percent),
    vatRate: vatRate ?? null,
    vatCategory: vatCategory ?? null,
    reason,
    reasonCode: reasonCode ?? null,
  }))
}

export function presentVatBreakdown(invoice: Invoice, unit: number) {
  const { vatSubtotals, lines, credits } = invoice
  const left = subtractCredits(invoice, credits?.items ?? [])
  return vatSubtotals.map((subtotal, index) => {
    const vatCategory = findVatCategory(subtotal)
    return {
      vatCategory,
      vatRate: subtotal.vatRate,
      taxableAmount: subtotal.taxableAmount / unit,
      creditableAmount: isCreditable(invoice) ? Math.max(0, left[index] ?? 0) / unit : 0,
      vatAmount: subtotal.vatAmount / unit,
      exemptionReason: joinExemptionReasons(vatCategory, lines) || null,
    }
  })
}

export function presentCredits({ credits }: Invoice, unit: number) {
  const items = credits?.items ?? []
  return {
    creditNotes: items.map(({ creditNoteId, invoiceNumber, status, amountTtc }) => ({
      id: creditNoteId,
      invoiceNumber,
      // Absent in answers of the previous release.
      status: (status ?? 'SIGNED') as InvoiceStatus,
      amountTtc: amountTtc / unit,
    })),
    creditedTtc: sumCredits(items) / unit,
  }
}

/** In minor units, including VAT. */
export function sumCredits(items: readonly Credit[]): number {
  return items.reduce((sum, { amountTtc }) => sum + amountTtc, 0)
}

/** What is left of each VAT subtotal's taxable amount, in minor units. */
export function subtractCredits(
  { vatSubtotals }: Pick<Invoice, 'vatSubtotals'>,
  items: readonly Credit[],
): number[] {
  const taken = items.flatMap(({ bases }) => bases)
  return vatSubtotals.map((subtotal) => {
    const vatCategory = findVatCategory(subtotal)
    return taken
      .filter((base) => base.vatCategory === vatCategory && base.vatRate === subtotal.vatRate)
      .reduce((left, { amount }) => left - amount, subtotal.taxableAmount)
  })
}
