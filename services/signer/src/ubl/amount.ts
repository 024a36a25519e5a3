import { formatAmount } from '@einvoicing/domain/currency'

/** Throws `RangeError` for a currency that is not in ISO 4217. */
export function amountElement(name: string, minorUnits: number, currency: string): string {
  return `<${name} currencyID="${currency}">${formatAmount(minorUnits, currency)}</${name}>`
}
