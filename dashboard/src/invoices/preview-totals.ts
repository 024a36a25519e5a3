/** While the user types; in minor units. */

import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import {
  DocumentArithmetic,
  type DocumentTotals,
  type Group,
  type SentAllowance,
} from '@einvoicing/domain/document-totals'
import { computeLineAmount } from '@einvoicing/domain/totals'
import { stampDutyPercent, toVatCategory, vatCategoryCodes } from '@einvoicing/profile/vat'
import type { Language } from '../i18n/language'
import { hasStampDuty, isVatRate, type TypedDraft, type TypedLine } from './draft'
import { readRate, type TypedAdjustment } from './typed-adjustments'
import { readDecimal } from './typed-numbers'

const amountsOfLines = new WeakMap<TypedLine, { for: string; amount: bigint | undefined }>()

/** `undefined` for unreadable numbers. Cached: a key in one of 2,000 lines computes one amount. */
export function previewLineAmount(
  line: TypedLine,
  currency: string,
  language: Language,
): bigint | undefined {
  const known = amountsOfLines.get(line)
  const of = `${currency} ${language}`
  if (known?.for === of) return known.amount
  const amount = computeNet(line, currency, language)
  amountsOfLines.set(line, { for: of, amount })
  return amount
}

function computeNet(line: TypedLine, currency: string, language: Language): bigint | undefined {
  const quantity = readDecimal(line.quantity, language)
  const unitPrice = readDecimal(line.unitPrice, language)
  if (!quantity || !unitPrice || !isVatRate(line.vatRate)) return undefined
  const { allowances, charges } = line
  if (allowances.length === 0 && charges.length === 0) {
    return computeLineAmount(quantity, unitPrice, minorUnitDigits(currency))
  }
  const sent = {
    quantity: quantity.toString(),
    unitPrice: unitPrice.toString(),
    vatRate: Number(line.vatRate),
    allowances: toSent(allowances, language),
    charges: toSent(charges, language),
  }
  return openArithmetic(currency).compute({ lines: [sent] }).lines[0]?.amountHt
}

/** Unreadable lines count nothing. */
export function previewTotals(typed: TypedDraft, language: Language): DocumentTotals {
  const { currency } = typed
  const digits = minorUnitDigits(currency)
  const prepaid = readDecimal(typed.prepaidAmount, language)
  return openArithmetic(currency).compute({
    // One line for each group has the same totals, and is fast.
    lines: sumByGroup(typed, language).map(({ net, ...group }) => ({
      ...group,
      quantity: '1',
      unitPrice: Decimal.parse(String(net)).shiftedRight(digits).toString(),
    })),
    allowances: toSent(typed.allowances, language),
    charges: toSent(typed.charges, language),
    stampDuty: hasStampDuty(typed),
    vatWithholdingPercent: Number(typed.vatWithholdingPercent),
    prepaidAmount: prepaid?.toString(),
  })
}

function sumByGroup({ lines, currency }: TypedDraft, language: Language) {
  const groups = new Map<string, Group & { net: bigint }>()
  for (const line of lines.filter((each) => isVatRate(each.vatRate))) {
    const vatRate = Number(line.vatRate)
    const vatCategory = (vatRate === 0 && line.vatCategory) || toVatCategory(vatRate)
    const key = `${vatCategory} ${line.vatRate}`
    const { net } = groups.get(key) ?? { net: 0n }
    const amount = previewLineAmount(line, currency, language) ?? 0n
    groups.set(key, { vatRate, vatCategory, net: amount > 0n ? net + amount : net })
  }
  return [...groups.values()]
}

function openArithmetic(currency: string): DocumentArithmetic {
  return new DocumentArithmetic({
    digits: minorUnitDigits(currency),
    toVatCategory,
    vatCategories: vatCategoryCodes,
    stampDutyPercent,
  })
}

/** Unreadable ones are left out; one of the whole document needs a rate that a line has. */
function toSent(
  typed: readonly TypedAdjustment[],
  language: Language,
): { items: SentAllowance[] } | undefined {
  const items = typed.flatMap(({ unit, value, rate }): SentAllowance[] => {
    const decimal = readDecimal(value, language)?.toString()
    if (decimal === undefined) return []
    const { vatRate, vatCategory } = readRate(rate)
    return [
      { [unit]: decimal, vatRate: vatRate ?? undefined, vatCategory: vatCategory ?? undefined },
    ]
  })
  return items.length === 0 ? undefined : { items }
}
