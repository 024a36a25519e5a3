import { Decimal } from './decimal'
import { minorUnitDigitsByCode } from './gen/currencies'

const digitsByCode = new Map<string, number>(Object.entries(minorUnitDigitsByCode))

/** Of documents, stored ones included. */
export const knownCurrencies: readonly string[] = [...digitsByCode.keys()].sort()

/** Of stored invoices and their credit notes: BR-CL-04 lacks them. Decision 0139. */
export const formerCurrencies: readonly string[] = ['ANG', 'BGN', 'CUC', 'STN']

/** Of new invoices. */
export const currencies: readonly string[] = knownCurrencies.filter(
  (code) => !formerCurrencies.includes(code),
)

/** By ISO 4217; upper case only. A former one is one too. */
export function isCurrency(code: string): boolean {
  return digitsByCode.has(code)
}

/** MAD 2, JPY 0, TND 3. Throws `RangeError` for an unknown code. */
export function minorUnitDigits(currency: string): number {
  const digits = digitsByCode.get(currency)
  if (digits === undefined) throw new RangeError(`not an ISO 4217 currency: ${currency}`)
  return digits
}

export function formatAmount(minorUnits: number, currency: string): string {
  return Decimal.fromMinorUnits(minorUnits, minorUnitDigits(currency)).toString()
}
