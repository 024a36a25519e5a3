import { minorUnitDigits } from '@einvoicing/domain/currency'
import { moroccanTimeZone as timeZone } from '@einvoicing/domain/invoice-dates'
import { useMemo } from 'react'
import type { Exactly } from '../api/exact-answer'
import { findLocale, type Language } from './language'
import { useLanguage } from './texts'

export interface Formats {
  /** From `2026-05-03` or ISO 8601. */
  date(text: string): string
  /** To the minute, Moroccan time. */
  dateTime(text: string): string
  /** To the second, Moroccan time. */
  exactTime(text: string): string
  /** `3 minutes ago`. */
  ago(text: string): string
  number(value: number): string
  decimal(value: Exactly): string
  /** With all its digits, and at least those of the currency. */
  price(value: Exactly, currency: string): string
  /** In the currency's own minor units: MAD 2, JPY 0, TND 3. */
  amount(value: number, currency: string): string
  minorUnits(units: bigint, currency: string): string
  /** 0.2 is 20 %; with all its digits. */
  percent(value: number): string
  /** `850 ms`, `4.2 s`, `3 min`. */
  duration(ms: number): string
}

export function useFormats(): Formats {
  const { language } = useLanguage()
  return useMemo(() => createFormats(language), [language])
}

function createFormats(language: Language): Formats {
  const locale = findLocale(language)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const dayAsWritten = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const minute = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  })
  const second = new Intl.DateTimeFormat(locale, {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  })
  const plain = new Intl.NumberFormat(locale)
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: 10 })
  const amount = createAmountFormat(locale)
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 10 })
  return {
    // A date without a time must not change with the reader's time zone.
    date: (text) => (text.length === 10 ? dayAsWritten : day).format(new Date(text)),
    dateTime: (text) => minute.format(new Date(text)),
    exactTime: (text) => second.format(new Date(text)),
    ago: createAgoFormat(locale),
    number: (value) => plain.format(value),
    // Browsers before 2023 round a text as they do a number.
    decimal: (value) => exact.format(value as number),
    price: createPriceFormat(locale),
    amount,
    minorUnits: (units, currency) =>
      amount(Number(units) / 10 ** minorUnitDigits(currency), currency),
    percent: (value) => share.format(value),
    duration: createDurationFormat(locale),
  }
}

function createAmountFormat(locale: string): Formats['amount'] {
  const byCurrency = new Map<string, Intl.NumberFormat>()
  return (value, currency) => {
    const digits = minorUnitDigits(currency)
    const format =
      byCurrency.get(currency) ??
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    byCurrency.set(currency, format)
    return format.format(value)
  }
}

function createPriceFormat(locale: string): Formats['price'] {
  const byDigits = new Map<number, Intl.NumberFormat>()
  return (value, currency) => {
    const minimumFractionDigits = minorUnitDigits(currency)
    const format =
      byDigits.get(minimumFractionDigits) ??
      new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 10 })
    byDigits.set(minimumFractionDigits, format)
    return format.format(value as number)
  }
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function createAgoFormat(locale: string): Formats['ago'] {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return (text) => {
    const passed = Date.parse(text) - Date.now()
    const [unit, ms] = spans.find(([, ms]) => Math.abs(passed) >= ms) ?? ['second', 1_000]
    return relative.format(Math.trunc(passed / ms), unit)
  }
}

function createDurationFormat(locale: string): Formats['duration'] {
  const inUnit = (unit: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    })
  const [milliseconds, seconds, minutes] = [
    inUnit('millisecond', 0),
    inUnit('second', 1),
    inUnit('minute', 0),
  ]
  return (ms) => {
    if (ms < 1_000) return milliseconds.format(ms)
    return ms < 120_000 ? seconds.format(ms / 1_000) : minutes.format(ms / 60_000)
  }
}
