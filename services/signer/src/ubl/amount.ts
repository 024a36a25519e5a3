import { formatAmount } from '@einvoicing/domain/currency'

/** `minorUnits` is an integer; a currency that is not in ISO 4217 throws `RangeError`. */
export function amountElement(name: string, minorUnits: number, currency: string): string {
  return `<${name} currencyID="${currency}">${formatAmount(minorUnits, currency)}</${name}>`
}
