/** Recomputes the amounts by the code that made them. */

import type { Element } from '@xmldom/xmldom'
import { isCurrency, minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import {
  DocumentArithmetic,
  type DocumentTotals,
  type SentAllowance,
  type SentLine,
  type Share,
} from '@einvoicing/domain/document-totals'
import { stampDutyPercent, toVatCategory, vatCategoryCodes } from '@einvoicing/profile/vat'
import { elementsAt, textAt } from './invoice'
import { createCheck, type Check } from './signature'

class AmountError extends Error {
  override readonly name = 'AmountError'
}

export function checkAmounts(root: Element): Check {
  try {
    compareAll(root)
    return createCheck('amounts', undefined)
  } catch (error) {
    if (error instanceof AmountError) return createCheck('amounts', error.message)
    if (!(error instanceof RangeError)) throw error
    return createCheck('amounts', 'an amount is not a decimal number')
  }
}

function compareAll(root: Element): void {
  const currency = textAt(root, 'DocumentCurrencyCode') ?? ''
  if (!isCurrency(currency)) throw new AmountError('DocumentCurrencyCode is not a known currency')
  requireOneCurrency(root, currency)
  const digits = minorUnitDigits(currency)
  const lines = [...elementsAt(root, 'InvoiceLine'), ...elementsAt(root, 'CreditNoteLine')]
  const adjustments = readAdjustments(root)
  const arithmetic = new DocumentArithmetic({
    digits,
    toVatCategory,
    vatCategories: vatCategoryCodes,
    stampDutyPercent,
  })
  const totals = arithmetic.compute({
    lines: lines.map(readLine),
    allowances: { items: adjustments.allowances.map(({ sent }) => sent) },
    charges: { items: adjustments.charges.map(({ sent }) => sent) },
    prepaidAmount: readNumber(root, 'LegalMonetaryTotal/PrepaidAmount', '0'),
  })
  const [error] = arithmetic.errors
  if (error) throw new AmountError(`${error.field} ${error.message}`)
  const compare = new Comparison(digits)
  lines.forEach((line, index) => {
    const { amountHt = 0n, allowances = [], charges = [] } = totals.lines[index] ?? {}
    const what = `line ${index + 1}`
    compare.adjustments(what, readAdjustments(line), { allowances, charges })
    compare.amount(what, { parent: line, path: 'LineExtensionAmount' }, amountHt)
  })
  compare.adjustments('the document', adjustments, totals)
  compareSubtotals(root, totals, compare)
  compareTotals(root, totals, compare)
}

function requireOneCurrency(parent: Element, currency: string): void {
  for (const node of Array.from(parent.childNodes)) {
    if (node.nodeType !== 1) continue
    const element = node as Element
    const stated = element.getAttribute('currencyID')
    if (stated !== null && stated !== currency) {
      throw new AmountError(`${element.localName} is in ${stated}, the document in ${currency}`)
    }
    requireOneCurrency(element, currency)
  }
}

function readLine(line: Element): SentLine {
  const { allowances, charges } = readAdjustments(line)
  const quantity = elementsAt(line, 'InvoicedQuantity').length > 0 ? 'Invoiced' : 'Credited'
  const perQuantity = readNumber(line, 'Price/BaseQuantity', '1')
  if (perQuantity !== '1') throw new AmountError('a price of several units is not verified')
  return {
    quantity: readNumber(line, `${quantity}Quantity`),
    unitPrice: readNumber(line, 'Price/PriceAmount'),
    ...readTax(line, 'Item/ClassifiedTaxCategory'),
    allowances: { items: allowances.map(({ sent }) => sent) },
    charges: { items: charges.map(({ sent }) => sent) },
  }
}

interface Adjustment {
  sent: SentAllowance
  amount: string
  base: string | undefined
}

function readAdjustments(parent: Element): Record<'allowances' | 'charges', Adjustment[]> {
  const elements = elementsAt(parent, 'AllowanceCharge')
  const read = (isCharge: string) =>
    elements
      .filter((element) => textAt(element, 'ChargeIndicator') === isCharge)
      .map((element): Adjustment => {
        const amount = readNumber(element, 'Amount')
        const hasPercent = elementsAt(element, 'MultiplierFactorNumeric').length > 0
        const tax =
          elementsAt(element, 'TaxCategory').length > 0 ? readTax(element, 'TaxCategory') : {}
        const sent = hasPercent
          ? { percent: readNumber(element, 'MultiplierFactorNumeric') }
          : { amount }
        const hasBase = hasPercent && elementsAt(element, 'BaseAmount').length > 0
        const base = hasBase ? readNumber(element, 'BaseAmount') : undefined
        return { sent: { ...sent, ...tax }, amount, base }
      })
  const found = { allowances: read('false'), charges: read('true') }
  if (found.allowances.length + found.charges.length !== elements.length) {
    throw new AmountError('an allowance or charge does not say which it is')
  }
  return found
}

/** Outside the scope of VAT there is no rate (BR-O-05). */
function readTax(parent: Element, path: string): { vatCategory: string; vatRate: number } {
  const percent = Decimal.parse(readNumber(parent, `${path}/Percent`, '0')).withoutTrailingZeros()
  if (percent.scale > 0 || percent.isNegative) {
    throw new AmountError(`the VAT rate ${percent.toString()} is not one that this service writes`)
  }
  const vatCategory = textAt(parent, `${path}/ID`) ?? ''
  if (!/^[A-Z]{1,3}$/.test(vatCategory)) throw new AmountError(`${path}/ID is not a VAT category`)
  return { vatCategory, vatRate: Number(percent.toString()) }
}

// Longer numbers would take long to compute with.
const numberForm = /^-?\d{1,30}(?:\.\d{1,30})?$/

function readNumber(parent: Element, path: string, absent?: string): string {
  const elements = elementsAt(parent, path)
  const text = elements.length === 0 ? absent : textAt(parent, path)
  if (text !== undefined && numberForm.test(text)) return text
  throw new AmountError(`${path} must occur exactly once and be a decimal number`)
}

interface Place {
  parent: Element
  path: string
  absent?: string
}

class Comparison {
  private readonly digits: number

  constructor(digits: number) {
    this.digits = digits
  }

  amount(where: string, { parent, path, absent }: Place, expected: bigint): void {
    this.value(`${where}: ${path.split('/').at(-1)}`, readNumber(parent, path, absent), expected)
  }

  adjustments(
    where: string,
    stated: Record<'allowances' | 'charges', Adjustment[]>,
    computed: Record<'allowances' | 'charges', Share[][]>,
  ): void {
    for (const name of ['allowances', 'charges'] as const) {
      stated[name].forEach(({ amount, base }, index) => {
        const shares = computed[name][index] ?? []
        const sum = (part: 'amount' | 'base') =>
          shares.reduce((total, share) => total + share[part], 0n)
        const what = `${where}: ${name}[${index}]`
        this.value(what, amount, sum('amount'))
        if (base !== undefined) this.value(`${what} BaseAmount`, base, sum('base'))
      })
    }
  }

  private value(what: string, stated: string, expected: bigint): void {
    const computed = Decimal.parse(String(expected)).shiftedRight(this.digits)
    if (Decimal.parse(stated).equals(computed)) return
    throw new AmountError(`${what} is ${stated}, computed ${computed.toString()}`)
  }
}

function compareSubtotals(
  root: Element,
  { subtotals }: Pick<DocumentTotals, 'subtotals'>,
  compare: Comparison,
): void {
  const stated = elementsAt(root, 'TaxTotal/TaxSubtotal')
  const left = new Map(subtotals.map((one) => [`${one.vatCategory} ${one.vatRate} %`, one]))
  for (const element of stated) {
    const { vatCategory, vatRate } = readTax(element, 'TaxCategory')
    const name = `${vatCategory} ${vatRate} %`
    const computed = left.get(name)
    if (!computed) throw new AmountError(`VAT ${name}: no line is left for this subtotal`)
    left.delete(name)
    const at = (path: string) => ({ parent: element, path })
    compare.amount(`VAT ${name}`, at('TaxableAmount'), computed.taxable)
    compare.amount(`VAT ${name}`, at('TaxAmount'), computed.vat)
  }
  const [missing] = left.keys()
  if (missing !== undefined) throw new AmountError(`VAT ${missing}: the subtotal is missing`)
}

function compareTotals(root: Element, totals: DocumentTotals, compare: Comparison): void {
  const total = (path: string, expected: bigint, absent?: string) =>
    compare.amount('totals', { parent: root, path, ...(absent && { absent }) }, expected)
  total('TaxTotal/TaxAmount', totals.amountVat)
  total('LegalMonetaryTotal/LineExtensionAmount', totals.lineTotal)
  total('LegalMonetaryTotal/AllowanceTotalAmount', totals.allowanceTotal, '0')
  total('LegalMonetaryTotal/ChargeTotalAmount', totals.chargeTotal, '0')
  total('LegalMonetaryTotal/TaxExclusiveAmount', totals.amountHt)
  total('LegalMonetaryTotal/TaxInclusiveAmount', totals.amountTtc)
  total('LegalMonetaryTotal/PayableAmount', totals.amountDue)
}
