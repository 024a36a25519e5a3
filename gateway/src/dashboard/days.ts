// Days in Africa/Casablanca: UTC+1, and UTC during Ramadan, by the runtime's time zone data.

import { dayInMorocco } from '@einvoicing/domain/invoice-dates'

const local = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Africa/Casablanca',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** YYYY-MM-DD. */
export type CalendarDay = string

/** ISO 8601 UTC. */
export function toStartOfDay(day: CalendarDay): string {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  // The clock changes at two or three in the morning, never between the guess and the result.
  const guess = midnight - findOffsetMs(midnight)
  return new Date(midnight - findOffsetMs(guess)).toISOString()
}

export function addDays(day: CalendarDay, days = 1): CalendarDay {
  const date = new Date(`${day}T00:00:00.000Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** Oldest first, today included. */
export function listLastDays(now: Date, count: number): CalendarDay[] {
  const today = dayInMorocco(now)
  return Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count))
}

function findOffsetMs(moment: number): number {
  const parts = local.formatToParts(moment).map(({ type, value }) => [type, Number(value)] as const)
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<
    Intl.DateTimeFormatPartTypes,
    number
  >
  const shown = Date.UTC(year, month - 1, day, hour, minute, second)
  return shown - Math.floor(moment / 1_000) * 1_000
}
