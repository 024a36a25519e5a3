import { formatAmount, minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import { findVatCategory } from '@einvoicing/profile/vat'
import type { VatSubtotal } from '@einvoicing/proto/invoice'

const narrowNoBreakSpace = '\u202F'
const minusSign = '\u2212'

/** Without the currency code: `(123456, 'MAD')` is `1 234,56`. */
export function frenchAmount(minorUnits: number, currency: string): string {
  return frenchDecimal(formatAmount(minorUnits, currency))
}

/** `2.50` is `2,5`. */
export function frenchQuantity(decimal: string): string {
  return frenchDecimal(Decimal.parse(decimal).withoutTrailingZeros().toString())
}

/** At least the currency's digits, and as many as the client sent. */
export function frenchUnitPrice(decimal: string, currency: string): string {
  const price = Decimal.parse(decimal)
  const digits = Math.max(price.scale, minorUnitDigits(currency))
  return frenchDecimal(price.rounded(digits).toString())
}

function frenchDecimal(plain: string): string {
  const [integer = '', fraction] = plain.split('.')
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, narrowNoBreakSpace)
  const number = fraction === undefined ? grouped : `${grouped},${fraction}`
  return number.replace('-', minusSign)
}

export function frenchDate(date: string): string {
  return date.split('-').reverse().join('/')
}

const clock = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Africa/Casablanca',
  hour: '2-digit',
  minute: '2-digit',
})

/** To the minute, by the clocks of Morocco: `03/05/2026 à 15:32 (heure du Maroc)`. */
export function frenchTimestamp(timestamp: string): string {
  const moment = new Date(timestamp)
  return `${frenchDate(dayInMorocco(moment))} à ${clock.format(moment)} (heure du Maroc)`
}

/** Bank, town, account and key; unchanged if it is not 24 digits. */
export function frenchRib(rib: string): string {
  const parts = /^(\d{3})(\d{3})(\d{16})(\d{2})$/.exec(rib.replaceAll(/\s/g, ''))
  return parts ? parts.slice(1).join(' ') : rib
}

/** Several categories have the rate 0: all but E are named. */
export function frenchVatRate(rated: Pick<VatSubtotal, 'vatRate' | 'vatCategory'>): string {
  const category = findVatCategory(rated)
  const rate = `${rated.vatRate}\u00A0%`
  return category === 'S' || category === 'E' ? rate : `${rate} (${category})`
}
