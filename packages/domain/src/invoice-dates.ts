// Dates are YYYY-MM-DD, which sort as text; an error is a sentence that follows the field's name.

import type { FieldError } from './api-error'
import { limits } from './limits'

export const moroccanTimeZone = 'Africa/Casablanca'

const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: moroccanTimeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const minuteMs = 60_000
let formatted = { minute: Number.NaN, day: '' }

/** Cached by the minute: formatting is slow, and no time zone changes within a minute. */
export function dayInMorocco(moment: Date): string {
  const minute = Math.floor(moment.getTime() / minuteMs)
  if (formatted.minute !== minute) formatted = { minute, day: calendar.format(moment) }
  return formatted.day
}

interface Dates {
  invoiceDate: string
  dueDate?: string | undefined
}

export function findDateErrors({ invoiceDate, dueDate }: Dates, now: Date): FieldError[] {
  const errors = [['invoiceDate', invoiceDateError(invoiceDate, now)]]
  if (dueDate !== undefined) errors.push(['dueDate', dueDateError(invoiceDate, dueDate)])
  return errors.flatMap(([field = '', message]) => (message ? [{ field, message }] : []))
}

export function invoiceDateError(invoiceDate: string, now: Date): string | undefined {
  const { invoiceDateMin } = limits
  if (invoiceDate < invoiceDateMin) {
    return `must not be earlier than ${invoiceDateMin}; got ${invoiceDate}`
  }
  const latest = yearsAfter(dayInMorocco(now), limits.invoiceDateYearsAhead)
  if (invoiceDate <= latest) return undefined
  return `must not be later than one year after today (${latest}); got ${invoiceDate}`
}

export function dueDateError(invoiceDate: string, dueDate: string): string | undefined {
  if (dueDate < invoiceDate) return `must not be before invoiceDate (${invoiceDate})`
  const latest = yearsAfter(invoiceDate, limits.dueDateYearsMax)
  if (dueDate <= latest) return undefined
  return `must not be later than ten years after invoiceDate (${latest}); got ${dueDate}`
}

/** 28 February when that year has no 29th. */
function yearsAfter(date: string, years: number): string {
  const year = Number(date.slice(0, 4)) + years
  // A year of five digits would no longer sort as text.
  if (year > 9999) return '9999-12-31'
  const day = date.slice(4)
  const isLeapYear = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  return `${String(year).padStart(4, '0')}${day === '-02-29' && !isLeapYear ? '-02-28' : day}`
}
