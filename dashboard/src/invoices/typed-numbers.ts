import { Decimal } from '@einvoicing/domain/decimal'
import { limits } from '@einvoicing/domain/limits'
import type { Exactly } from '../api/exact-answer'
import type { Language } from '../i18n/language'

/** `undefined` also for the French `1.500`, which may be 1,5 or a thousand and a half. */
export function readDecimal(typed: string, language: Language): Decimal | undefined {
  if (language === 'fr' && /^\s*[1-9]\d{0,2}\.\d{3}\s*$/.test(typed)) return undefined
  const text = toPlainNotation(typed, language)
  return plainDecimal.test(text) ? Decimal.parse(text) : undefined
}

// In English a comma separates thousands, in French it begins the fraction.
function toPlainNotation(typed: string, language: Language): string {
  const text = withoutBlanks(typed)
  const grouped = /\d\D\d{3}\D/.test(text) ? readGroups(text) : undefined
  return grouped ?? (language === 'fr' ? text.replace(',', '.') : text)
}

const groupedDigits =
  /^(\d+|\d{1,3}(?:,\d{3})+(?!,)|\d{1,3}(?:\.\d{3})+(?!\.)|\d{1,3}(?:['’]\d{3})+)(?:[.,](\d+))?$/

/** `undefined` also for `1,500`, where the comma may separate thousands or begin the fraction. */
export function readGroups(text: string): string | undefined {
  const [, whole, fraction] = groupedDigits.exec(text) ?? []
  if (whole === undefined || /^\d+[.,]\d{3}$/.test(text)) return undefined
  const digits = whole.replace(/\D/g, '')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}

const plainDecimal = /^\d{1,30}(?:\.\d{1,30})?$/

/** Valid for the service, and exact as a JSON number. */
export function fitsNumber(decimal: Decimal): boolean {
  return (
    decimal.integerDigits <= limits.quantityIntegerDigits &&
    decimal.scale <= limits.quantityFractionDigits &&
    decimal.unscaled.toString().length <= limits.amountSignificantDigits
  )
}

// A stored value with more digits than allowed stays different from all allowed ones.
export function toExactly(typed: string, language: Language): Exactly {
  const decimal = readDecimal(typed, language)
  const text = toPlainNotation(typed, language)
  return decimal && !fitsNumber(decimal) ? text : Number(text)
}

export function toText(value: Exactly, language: Language): string {
  const text =
    typeof value === 'string'
      ? value
      : value.toLocaleString('en', { maximumFractionDigits: 10, useGrouping: false })
  return language === 'fr' ? text.replace('.', ',') : text
}

export const withoutBlanks = (text: string) => text.replace(/\s/g, '')
