import type { AdjustmentContent, Invoice } from '../api/invoice'
import type { Language } from '../i18n/language'
import { toExactly, toText } from './typed-numbers'

export const adjustmentNames = ['allowances', 'charges'] as const
export type AdjustmentName = (typeof adjustmentNames)[number]

export interface TypedAdjustment {
  key: string
  unit: 'percent' | 'amount'
  value: string
  /** `20`, `0 AE` among its categories, or ` AE` alone; empty for every rate, and on a line. */
  rate: string
  reason: string
  /** Not edited here, and sent back unchanged. */
  reasonCode: string | null
}

let made = 0

export const createAdjustment = (fields: Partial<TypedAdjustment> = {}): TypedAdjustment => ({
  key: `adjustment-${++made}`,
  unit: 'percent',
  value: '',
  rate: '',
  reason: '',
  reasonCode: null,
  ...fields,
})

type Items = Invoice['allowances']

export const toTypedAdjustments = (items: Items, language: Language): TypedAdjustment[] =>
  (items ?? []).map(({ amount, percent, vatRate, vatCategory, reason, reasonCode }) =>
    createAdjustment({
      unit: percent === null ? 'amount' : 'percent',
      value: toText(percent ?? amount, language),
      rate: toRate(vatRate, vatCategory),
      reason,
      reasonCode,
    }),
  )

export function toRate(vatRate: number | null, vatCategory: string | null): string {
  const rate = String(vatRate ?? '')
  return vatRate || vatCategory === null ? rate : `${rate} ${vatCategory}`
}

export function readRate(rate: string): { vatRate: number | null; vatCategory: string | null } {
  const [vatRate = '', vatCategory = null] = rate.split(' ')
  return { vatRate: vatRate === '' ? null : Number(vatRate), vatCategory }
}

export function toLineAdjustments(
  typed: readonly TypedAdjustment[],
  language: Language,
): AdjustmentContent[] | null {
  if (typed.length === 0) return null
  return typed.map(({ unit, value, reason, reasonCode }) => {
    // Checked before: a number of so few digits is exact.
    const sent = Number(toExactly(value, language))
    const [amount, percent] = unit === 'amount' ? [sent, null] : [null, sent]
    return { amount, percent, reason: reason.trim(), reasonCode }
  })
}

export function toAdjustments(
  typed: readonly TypedAdjustment[],
  language: Language,
): AdjustmentContent[] | null {
  const items = toLineAdjustments(typed, language)
  return items?.map((item, index) => ({ ...item, ...readRate(typed[index]?.rate ?? '') })) ?? null
}
