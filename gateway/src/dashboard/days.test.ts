import { dayAfter, dayOf, lastDays, startOfDay } from './days'

const days = (count: number, from: string) =>
  Array.from({ length: count }, (_, index) => dayAfter(from, index))

it.each([
  ['2026-01-01', '2025-12-31T23:00:00.000Z'],
  // Ramadan of 2026: UTC from the morning of February 15 to that of March 22.
  ['2026-02-15', '2026-02-14T23:00:00.000Z'],
  ['2026-02-16', '2026-02-16T00:00:00.000Z'],
  ['2026-03-22', '2026-03-22T00:00:00.000Z'],
  ['2026-03-23', '2026-03-22T23:00:00.000Z'],
  ['2026-07-01', '2026-06-30T23:00:00.000Z'],
])('%s begins at %s', (day, start) => {
  expect(startOfDay(day)).toBe(start)
  expect(dayOf(new Date(start))).toBe(day)
  expect(dayOf(new Date(Date.parse(start) - 1))).toBe(dayAfter(day, -1))
})

it('each day of four years begins at a whole hour, where the one before it ends', () => {
  for (const day of days(4 * 365, '2025-01-01')) {
    const start = startOfDay(day)
    expect([day, dayOf(new Date(start))]).toEqual([day, day])
    expect([day, dayOf(new Date(Date.parse(start) - 1))]).toEqual([day, dayAfter(day, -1)])
    expect(start).toMatch(/T\d\d:00:00\.000Z$/)
  }
})

it('the last days end with today, an hour before UTC says so', () => {
  expect(lastDays(new Date('2026-02-28T22:59:59.999Z'), 1)).toEqual(['2026-02-28'])
  expect(lastDays(new Date('2026-06-30T23:00:00.000Z'), 3)).toEqual([
    ...['2026-06-29', '2026-06-30', '2026-07-01'],
  ])
  expect(lastDays(new Date('2026-03-01T12:00:00.000Z'), 2)).toEqual(['2026-02-28', '2026-03-01'])
  expect(lastDays(new Date('2026-03-01T12:00:00.000Z'), 90)).toHaveLength(90)
})
