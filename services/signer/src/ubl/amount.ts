/**
 * Money as the document writes it: in the digits of the currency's minor unit, with the currency
 * beside it.
 */

import { formatAmount } from '@einvoicing/domain/currency'

/**
 * An amount element; `minorUnits` is an integer, and a currency ISO 4217 does not know throws
 * `RangeError`.
 */
export function amountElement(name: string, minorUnits: number, currency: string): string {
  return `<${name} currencyID="${currency}">${formatAmount(minorUnits, currency)}</${name}>`
}
