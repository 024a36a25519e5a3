import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import { addDays, listLastDays, toStartOfDay } from './days'

const days = (count: number, from: string) =>
  Array.from({ length: count }, (_, index) => addDays(from, index))

it.each([
  ['2026-01-01', '2025-12-31T23:00:00.000Z'],
  // Ramadan of 2026: UTC from the morning of February 15 to that of March 22.
  ['2026-02-15', '2026-02-14T23:00:00.000Z'],
  ['2026-02-16', '2026-02-16T00:00:00.000Z'],
  ['2026-03-22', '2026-03-22T00:00:00.000Z'],
  ['2026-03-23', '2026-03-22T23:00:00.000Z'],
  ['2026-07-01', '2026-06-30T23:00:00.000Z'],
])('%s begins at %s', (day, start) => {
  expect(toStartOfDay(day)).toBe(start)
  expect(dayInMorocco(new Date(start))).toBe(day)
  expect(dayInMorocco(new Date(Date.parse(start) - 1))).toBe(addDays(day, -1))
})

it('each day of four years begins at a whole hour, where the one before it ends', () => {
  for (const day of days(4 * 365, '2025-01-01')) {
    const start = toStartOfDay(day)
    expect([day, dayInMorocco(new Date(start))]).toEqual([day, day])
    expect([day, dayInMorocco(new Date(Date.parse(start) - 1))]).toEqual([day, addDays(day, -1)])
    expect(start).toMatch(/T\d\d:00:00\.000Z$/)
  }
})

it('the last days end with today in Casablanca, an hour before UTC', () => {
  expect(listLastDays(new Date('2026-02-28T22:59:59.999Z'), 1)).toEqual(['2026-02-28'])
  expect(listLastDays(new Date('2026-06-30T23:00:00.000Z'), 3)).toEqual([
    ...['2026-06-29', '2026-06-30', '2026-07-01'],
  ])
  expect(listLastDays(new Date('2026-03-01T12:00:00.000Z'), 2)).toEqual([
    '2026-02-28',
    '2026-03-01',
  ])
  expect(listLastDays(new Date('2026-03-01T12:00:00.000Z'), 90)).toHaveLength(90)
})
