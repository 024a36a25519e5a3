/**
 * ISO 4217: which currency codes an invoice may be in, and how many digits their minor unit has.
 */

import { Decimal } from './decimal'
import { minorUnitDigitsByCode } from './gen/currencies'

const digitsByCode = new Map<string, number>(Object.entries(minorUnitDigitsByCode))

/** Every code that is money by ISO 4217, in the order of the alphabet. */
export const currencies: readonly string[] = [...digitsByCode.keys()].sort()

/** Whether `code` is money by ISO 4217; upper case only. */
export function isCurrency(code: string): boolean {
  return digitsByCode.has(code)
}

/**
 * Fraction digits of the minor unit: MAD 2, JPY 0, TND 3. Throws `RangeError` for what is no
 * currency.
 */
export function minorUnitDigits(currency: string): number {
  const digits = digitsByCode.get(currency)
  if (digits === undefined) throw new RangeError(`not an ISO 4217 currency: ${currency}`)
  return digits
}

/** Minor units as text in the currency's own digits: `(1250, 'MAD')` is `12.50`. */
export function formatAmount(minorUnits: number, currency: string): string {
  return Decimal.fromMinorUnits(minorUnits, minorUnitDigits(currency)).toString()
}
