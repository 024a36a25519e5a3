import { formatAmount, minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'

const narrowNoBreakSpace = '\u202F'

/** Without the currency code: `(123456, 'MAD')` is `1 234,56`. */
export function frenchAmount(minorUnits: number, currency: string): string {
  return frenchDecimal(formatAmount(minorUnits, currency))
}

/** `2.50` is `2,5`. */
export function frenchQuantity(decimal: string): string {
  return frenchDecimal(Decimal.parse(decimal).withoutTrailingZeros().toString())
}

/** At least the currency's digits, and as many as the client gave. */
export function frenchUnitPrice(decimal: string, currency: string): string {
  const price = Decimal.parse(decimal)
  const digits = Math.max(price.scale, minorUnitDigits(currency))
  return frenchDecimal(price.rounded(digits).toString())
}

function frenchDecimal(plain: string): string {
  const [integer = '', fraction] = plain.split('.')
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, narrowNoBreakSpace)
  return fraction === undefined ? grouped : `${grouped},${fraction}`
}

export function frenchDate(date: string): string {
  return date.split('-').reverse().join('/')
}

/** To the minute: `03/05/2026 à 14:32 (UTC)`. */
export function frenchTimestamp(timestamp: string): string {
  const [date = '', time = ''] = new Date(timestamp).toISOString().split('T')
  return `${frenchDate(date)} à ${time.slice(0, 5)} (UTC)`
}

/** Bank, town, account and key; unchanged if it is not 24 digits. */
export function frenchRib(rib: string): string {
  const parts = /^(\d{3})(\d{3})(\d{16})(\d{2})$/.exec(rib.replaceAll(/\s/g, ''))
  return parts ? parts.slice(1).join(' ') : rib
}
