import { limits } from '@einvoicing/domain/limits'
import { allowanceCodes, chargeCodes } from '@einvoicing/profile/allowance-codes'
import {
  knownVatRates,
  vatCategoryCodes,
  vatWithholdingPercents,
  type VatCategory,
} from '@einvoicing/profile/vat'
import type { z } from 'zod'
import { boundedList } from '../fields/bounded-list'
import {
  defineRule,
  explainNotNumber,
  explainNotText,
  filledText,
  flag,
  formatValue,
  oneOf,
  toZodSchema,
} from '../fields/rules'
import { ExactNumber } from '../json/exact-json'
import { exactNumber } from './exact-number'
import { structure } from './structure'

const oneOfNumbers = (allowed: readonly number[]) =>
  defineRule({ type: 'integer', enum: allowed }, (value) => {
    if (typeof value !== 'number' && !(value instanceof ExactNumber)) return explainNotNumber(value)
    if (allowed.includes(value as number)) return undefined
    return `must be one of ${allowed.join(', ')} (percent); got ${formatValue(value)}`
  })

export const vatCategory = toZodSchema<VatCategory>(
  oneOf(vatCategoryCodes),
  'UNCL 5305: S standard, E exempt, G export, AE reverse charge, O outside the scope of VAT.',
).nullish()

const percentMax = 100

const priced = (codes: readonly string[]) => ({
  amount: exactNumber('positive', 'Either amount or percent.').nullish(),
  percent: exactNumber(
    'positive',
    'Percentage of the lines; percentages are not compounded.',
    percentMax,
  ).nullish(),
  reason: toZodSchema<string>(filledText(limits.allowanceReasonLength)),
  reasonCode: toZodSchema<string>(
    defineRule({ type: 'string', enum: codes }, (value) => {
      if (typeof value !== 'string') return explainNotText(value)
      return codes.includes(value)
        ? undefined
        : `is not a code of the list; got ${formatValue(value)}`
    }),
    'UNTDID 5189 of an allowance, 7161 of a charge.',
  ).nullish(),
})

const taxed = {
  vatRate: toZodSchema<number>(
    oneOfNumbers(knownVatRates),
    'The VAT rate of the lines concerned. Missing: all lines, for a percentage or if the lines have a single rate.',
  ).nullish(),
  vatCategory,
}

function listOf<Item extends object>(item: z.ZodType<Item>, countMax: number, description: string) {
  return boundedList(item, countMax)
    .transform((items) =>
      items.length === 0 ? null : { items: items.map((each) => ({ ...each, shares: [] })) },
    )
    .meta({ description })
    .nullish()
}

const adjustmentList = (codes: readonly string[], description: string) =>
  listOf(
    structure(priced(codes), 'One allowance or charge.'),
    limits.lineAllowanceCount,
    description,
  )
const list = (codes: readonly string[], description: string) =>
  listOf(
    structure({ ...priced(codes), ...taxed }, 'One allowance or charge.'),
    limits.allowanceCount,
    description,
  )

export const lineAllowances = adjustmentList(allowanceCodes, 'Discounts on the line.')
export const lineCharges = adjustmentList(chargeCodes, 'Charges on the line.')

export const amounts = {
  prepaidAmount: exactNumber(
    'positive',
    'Amount already received without a deposit invoice; at most the total including VAT. The VAT withheld must be left to pay.',
  ).nullish(),
  allowances: list(allowanceCodes, 'Discounts on the document.'),
  charges: list(chargeCodes, 'Charges on the document: transport, packing.'),
  stampDuty: toZodSchema<boolean>(
    flag,
    'true: the stamp duty of 0.25 % on cash payments is computed and stated. Allowed only with paymentMethod CASH, and not on a CREDIT_NOTE.',
  ).nullish(),
  vatWithholdingPercent: toZodSchema<number>(
    oneOfNumbers(vatWithholdingPercents),
    'How much of the VAT the buyer withholds at the source.',
  ).nullish(),
}
