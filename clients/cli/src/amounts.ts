import { isCurrency, minorUnitDigits } from '@einvoicing/domain/currency'

/** `1081.20 MAD`, `1081 JPY`. An amount has at most 15 digits, so that its number is exact. */
export function amountText(amount: number, currency: string): string {
  // The service may know a currency that this version does not.
  const digits = isCurrency(currency) ? minorUnitDigits(currency) : 2
  const text = amount.toFixed(digits)
  return `${Number(text) === amount ? text : amount} ${currency}`
}
