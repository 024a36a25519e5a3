import { minorUnitDigits } from '@einvoicing/domain/currency'
import type { Language } from './languages'

// Months as they are called in Morocco.
const locales: Readonly<Record<Language, string>> = { fr: 'fr-FR', ar: 'ar-MA', en: 'en-GB' }
const timeZone = 'Africa/Casablanca'

export interface Format {
  /** Of minor units, with the currency. */
  amount(minorUnits: number): string
  percent(rate: string | number): string
  date(date: string): string
  /** In Casablanca. */
  time(moment: string): string
  day(moment: string): string
}

export function createFormat(language: Language, currency: string): Format {
  const locale = locales[language]
  const digits = minorUnitDigits(currency)
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const plain = new Intl.NumberFormat(locale)
  const ofDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const ofDay = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })
  const ofTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  })
  return {
    amount: (minorUnits) => `${number.format(minorUnits / 10 ** digits)}\u00A0${currency}`,
    percent: (rate) => `${plain.format(Number(rate))} %`,
    date: (date) => ofDate.format(new Date(`${date}T00:00:00Z`)),
    time: (moment) => ofTime.format(new Date(moment)),
    day: (moment) => ofDay.format(new Date(moment)),
  }
}
