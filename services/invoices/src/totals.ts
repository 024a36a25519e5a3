import { ApiError } from '@einvoicing/domain/api-error'
import { formatAmount, minorUnitDigits } from '@einvoicing/domain/currency'
import {
  DocumentArithmetic,
  type DocumentTotals,
  type LineTotals,
  type Share,
} from '@einvoicing/domain/document-totals'
import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { computeNet } from '@einvoicing/profile/payment-notes'
import { stampDutyPercent, toVatCategory, vatCategoryCodes } from '@einvoicing/profile/vat'
import type {
  AllowanceCharge,
  AllowanceCharges,
  Invoice,
  InvoiceContent,
  InvoiceLine,
  LineContent,
  VatSubtotal,
} from '@einvoicing/proto/invoice'

/** In minor units. */
export type Totals = Pick<
  Invoice,
  | 'lines'
  | 'vatSubtotals'
  | 'amountHt'
  | 'amountVat'
  | 'amountTtc'
  | 'allowances'
  | 'charges'
  | 'lineTotalHt'
  | 'allowanceTotal'
  | 'chargeTotal'
  | 'amountDue'
  | 'stampDutyAmount'
  | 'vatWithheldAmount'
  | 'amountAfterWithholding'
>

export type Adjustments = Pick<
  InvoiceContent,
  'allowances' | 'charges' | 'prepaidAmount' | 'stampDuty' | 'vatWithholdingPercent'
>

const amountMax = 10n ** BigInt(limits.amountSignificantDigits) - 1n

/** Throws VALIDATION_ERROR for invalid allowances, charges or lines, or over 15 digits. */
export function computeTotals(
  lines: readonly LineContent[],
  currency: string,
  adjustments: Adjustments = {},
): Totals {
  for (const { quantity, unitPrice } of lines) assertPlain(quantity, unitPrice)
  const arithmetic = new DocumentArithmetic({
    digits: minorUnitDigits(currency),
    toVatCategory,
    vatCategories: vatCategoryCodes,
    stampDutyPercent,
  })
  const totals = arithmetic.compute(Object.assign({}, adjustments, { lines }))
  rejectTooLarge(totals.lines.flatMap(lineAmounts))
  if (arithmetic.errors.length > 0) throw createValidationError(arithmetic.errors)
  rejectTooLarge(documentAmounts(totals))
  return {
    lines: lines.map((line, index) => withTotals(line, totals.lines[index])),
    vatSubtotals: totals.subtotals.map(toVatSubtotal),
    amountHt: Number(totals.amountHt),
    amountVat: Number(totals.amountVat),
    amountTtc: Number(totals.amountTtc),
    ...adjusted(totals, adjustments),
  }
}

type Payable = Parameters<typeof computeNet>[0] & Pick<Invoice, 'currency'>

/** Not in recovery: such documents were signed before decision 0177. Throws VALIDATION_ERROR. */
export function assertPayable(invoice: Payable): void {
  const { currency, vatWithheldAmount: withheld = 0 } = invoice
  const { amount: net } = computeNet(invoice)
  if (net >= 0) return
  const [least, left] = [withheld, net + withheld].map((each) => formatAmount(each, currency))
  const message = `must leave at least the VAT withheld, ${least}, to pay; it leaves ${left}`
  throw createValidationError([{ field: 'prepaidAmount', message }])
}

function withTotals(line: LineContent, totals: LineTotals | undefined): InvoiceLine {
  const { allowances, charges } = line
  const computed: Pick<InvoiceLine, 'amountHt' | 'allowances' | 'charges'> = {
    amountHt: Number(totals?.amountHt),
  }
  if (allowances) computed.allowances = withShares(allowances, totals?.allowances)
  if (charges) computed.charges = withShares(charges, totals?.charges)
  return Object.assign({}, line, computed)
}

/** What follows from the rate's category is left out, as in invoices of 0.1. */
function toVatSubtotal({ vatCategory, vatRate, taxable, vat }: Subtotal): VatSubtotal {
  const amounts = { vatRate, taxableAmount: Number(taxable), vatAmount: Number(vat) }
  return vatCategory === toVatCategory(vatRate) ? amounts : Object.assign(amounts, { vatCategory })
}

type Subtotal = DocumentTotals['subtotals'][number]

// An edit that clears a field clears what was computed from it.
const notAdjusted = {
  lineTotalHt: undefined,
  allowanceTotal: undefined,
  chargeTotal: undefined,
  amountDue: undefined,
  stampDutyAmount: undefined,
  vatWithheldAmount: undefined,
  amountAfterWithholding: undefined,
}

/** Fields without adjustments are absent, as in earlier versions. */
function adjusted(totals: DocumentTotals, adjustments: Adjustments): Partial<Totals> {
  const { allowances, charges, prepaidAmount, stampDuty, vatWithholdingPercent } = adjustments
  const found: Partial<Totals> = 'allowances' in adjustments ? { ...notAdjusted } : {}
  if (allowances) found.allowances = withShares(allowances, totals.allowances)
  if (charges) found.charges = withShares(charges, totals.charges)
  if (allowances || charges) {
    found.lineTotalHt = Number(totals.lineTotal)
    found.allowanceTotal = Number(totals.allowanceTotal)
    found.chargeTotal = Number(totals.chargeTotal)
  }
  if (prepaidAmount !== undefined) found.amountDue = Number(totals.amountDue)
  if (stampDuty) found.stampDutyAmount = Number(totals.stampDutyAmount)
  if (vatWithholdingPercent !== undefined) {
    found.vatWithheldAmount = Number(totals.vatWithheldAmount)
    found.amountAfterWithholding = Number(totals.amountDue - totals.vatWithheldAmount)
  }
  return found
}

function withShares(sent: AllowanceCharges, shares: readonly Share[][] = []): AllowanceCharges {
  const items = sent.items.map((item, index): AllowanceCharge => {
    const computed = (shares[index] ?? []).map(({ base, amount, ...group }) =>
      Object.assign(group, { baseAmount: Number(base), amount: Number(amount) }),
    )
    return Object.assign({}, item, { shares: computed })
  })
  return { items }
}

/** The document repeats the text unchanged, and xsd:decimal has no exponent. */
function assertPlain(...decimals: readonly string[]): void {
  for (const decimal of decimals) {
    if (/[eE]/.test(decimal)) throw new Error(`not in plain notation: ${decimal}`)
  }
}

const tooLargeMessage = `the amount has more than ${limits.amountSignificantDigits} significant digits; split the invoice or check quantity and unitPrice`

type FieldAmounts = readonly [field: string, ...amounts: bigint[]]

function lineAmounts({ amountHt, ...shares }: LineTotals, index: number): FieldAmounts[] {
  const field = `lines[${index}]`
  const [first] = [...shares.allowances, ...shares.charges].flat()
  return [[field, amountHt, first?.base ?? 0n], ...shareAmounts(`${field}.`, shares)]
}

/** Every other amount is at most one of these. */
function documentAmounts(totals: DocumentTotals): FieldAmounts[] {
  return [
    ['lines', totals.amountTtc, totals.lineTotal],
    ...shareAmounts('', totals),
    ['allowances', totals.allowanceTotal],
    ['charges', totals.chargeTotal],
  ]
}

function shareAmounts(
  prefix: string,
  shares: Pick<LineTotals, 'allowances' | 'charges'>,
): FieldAmounts[] {
  return (['allowances', 'charges'] as const).flatMap((name) =>
    shares[name].map((each, index): FieldAmounts => {
      return [`${prefix}${name}[${index}]`, ...each.map(({ amount }) => amount)]
    }),
  )
}

function rejectTooLarge(checked: readonly FieldAmounts[]): void {
  const fieldErrors = checked
    .filter(([, ...amounts]) => amounts.some((amount) => amount > amountMax))
    .map(([field]) => ({ field, message: tooLargeMessage }))
    .slice(0, limits.fieldErrorsReported)
  if (fieldErrors.length === 0) return
  throw new ApiError(
    'VALIDATION_ERROR',
    'The amounts of this invoice have too many digits: split it, or correct the fields in errors.',
    { fieldErrors },
  )
}
