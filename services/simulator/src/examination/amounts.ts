/** EN 16931, BR-CO-10 to BR-CO-17, exact to the minor unit. Rounds half away from zero. */

import Big from 'big.js'
import { minorUnitDigits } from './minor-units'

const halfUp = 1

// Only quotients are inexact; with a hundred digits none can seem to be a half.
const Quotient = Big()
Quotient.DP = 100

export interface StatedLine {
  id: string
  quantity: Big
  unitPrice: Big
  priceBaseQuantity: Big
  amount: Big
  vat: VatCategory
  adjustments: readonly StatedAdjustment[]
}

export interface StatedAdjustment {
  isCharge: boolean
  amount: Big
  percent: Big | undefined
  base: Big | undefined
  /** `undefined` on a line, which has its own. */
  vat: VatCategory | undefined
}

/** UNCL 5305, with the rate in percent. */
export interface VatCategory {
  code: string
  percent: Big
}

export interface StatedSubtotal {
  vat: VatCategory
  taxable: Big
  tax: Big
}

export interface StatedAmounts {
  currency: string
  lines: readonly StatedLine[]
  adjustments: readonly StatedAdjustment[]
  subtotals: readonly StatedSubtotal[]
  vatTotal: Big
  lineTotal: Big
  taxExclusive: Big
  taxInclusive: Big
  allowanceTotal: Big
  chargeTotal: Big
  prepaid: Big
  payable: Big
}

export function findAmountError(stated: StatedAmounts): string | undefined {
  const digits = minorUnitDigits(stated.currency)
  return (
    findLineError(stated.lines, digits) ??
    findSubtotalError(stated, digits) ??
    findTotalError(stated)
  )
}

function findLineError(lines: readonly StatedLine[], digits: number): string | undefined {
  return findFirst(lines, (line) => {
    if (line.priceBaseQuantity.lte(0)) return `line ${line.id}: BaseQuantity must be positive`
    const product = new Quotient(line.quantity.times(line.unitPrice))
    const gross = product.div(line.priceBaseQuantity).round(digits, halfUp)
    const what = `line ${line.id}`
    return (
      findAdjustmentError(what, line.adjustments, { digits, baseOf: () => gross }) ??
      describeDifference(what, line.amount, gross.plus(sumAdjustments(line.adjustments)))
    )
  })
}

interface Expected {
  digits: number
  baseOf: (adjustment: StatedAdjustment) => Big | undefined
}

/** A stated percentage must be of the right base and make the amount. */
function findAdjustmentError(
  what: string,
  adjustments: readonly StatedAdjustment[],
  { digits, baseOf }: Expected,
): string | undefined {
  return findFirst(adjustments, (adjustment) => {
    const { percent, base, amount, isCharge } = adjustment
    if (percent === undefined || base === undefined) return undefined
    const name = `${what} ${isCharge ? 'charge' : 'allowance'}`
    const expectedBase = baseOf(adjustment)
    if (!expectedBase) return `${name}: no line has its VAT category and rate`
    const expected = expectedBase.times(percent).div(100).round(digits, halfUp)
    return (
      describeDifference(`${name} base`, base, expectedBase) ??
      describeDifference(name, amount, expected)
    )
  })
}

function sumAdjustments(adjustments: readonly StatedAdjustment[]): Big {
  return sum(adjustments.map(({ isCharge, amount }) => (isCharge ? amount : amount.times(-1))))
}

function findSubtotalError(stated: StatedAmounts, digits: number): string | undefined {
  const taxableByVat = new Map<string, Big>()
  for (const { vat, amount } of stated.lines) {
    taxableByVat.set(vatKey(vat), (taxableByVat.get(vatKey(vat)) ?? new Big(0)).plus(amount))
  }
  const lineTotals = new Map(taxableByVat)
  const adjustmentError = findAdjustmentError('document', stated.adjustments, {
    digits,
    baseOf: ({ vat }) => vat && lineTotals.get(vatKey(vat)),
  })
  if (adjustmentError !== undefined) return adjustmentError
  for (const adjustment of stated.adjustments) {
    const key = adjustment.vat ? vatKey(adjustment.vat) : ''
    const before = taxableByVat.get(key)
    if (!before) return `allowance or charge of VAT ${key}: no line has it`
    taxableByVat.set(key, before.plus(sumAdjustments([adjustment])))
  }
  const isNegative = ([key, taxable]: [string, Big]) => taxable.lt(0) && !lineTotals.get(key)?.lt(0)
  const negative = [...taxableByVat].find(isNegative)
  if (negative) return `VAT ${negative[0]}: allowances exceed the lines`
  const subtotalError = findFirst(stated.subtotals, ({ vat, taxable, tax }) => {
    const expected = taxableByVat.get(vatKey(vat))
    if (!expected) return `VAT ${vatKey(vat)}: no line left for this subtotal`
    taxableByVat.delete(vatKey(vat))
    const expectedTax = expected.times(vat.percent).div(100).round(digits, halfUp)
    return (
      describeDifference(`VAT ${vatKey(vat)} taxable amount`, taxable, expected) ??
      describeDifference(`VAT ${vatKey(vat)} tax amount`, tax, expectedTax)
    )
  })
  const [missing] = taxableByVat.keys()
  return subtotalError ?? (missing === undefined ? undefined : `VAT ${missing}: subtotal missing`)
}

function findTotalError(stated: StatedAmounts): string | undefined {
  const lineTotal = sum(stated.lines.map(({ amount }) => amount))
  const total = (isCharge: boolean) =>
    sum(stated.adjustments.filter((each) => each.isCharge === isCharge).map(({ amount }) => amount))
  const [allowanceTotal, chargeTotal] = [total(false), total(true)]
  const taxExclusive = lineTotal.minus(allowanceTotal).plus(chargeTotal)
  const vatTotal = sum(stated.subtotals.map(({ tax }) => tax))
  const taxInclusive = taxExclusive.plus(vatTotal)
  return (
    describeDifference('TaxTotal', stated.vatTotal, vatTotal) ??
    describeDifference('LineExtensionAmount', stated.lineTotal, lineTotal) ??
    describeDifference('AllowanceTotalAmount', stated.allowanceTotal, allowanceTotal) ??
    describeDifference('ChargeTotalAmount', stated.chargeTotal, chargeTotal) ??
    describeDifference('TaxExclusiveAmount', stated.taxExclusive, taxExclusive) ??
    describeDifference('TaxInclusiveAmount', stated.taxInclusive, taxInclusive) ??
    describeDifference('PayableAmount', stated.payable, taxInclusive.minus(stated.prepaid))
  )
}

function describeDifference(what: string, stated: Big, expected: Big): string | undefined {
  if (stated.eq(expected)) return undefined
  return `${what}: ${stated.toFixed()} stated, ${expected.toFixed()} computed`
}

const vatKey = ({ code, percent }: VatCategory): string => `${code} ${percent.toFixed()} %`

const sum = (amounts: readonly Big[]): Big =>
  amounts.reduce((total, amount) => total.plus(amount), new Big(0))

function findFirst<T>(
  items: readonly T[],
  find: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
