import fc from 'fast-check'
import { summarizeClearance, foldHours } from './read-overview'

const countEach = (values: readonly number[]) => {
  const counts = new Map<number, number>()
  for (const ms of values) counts.set(ms, (counts.get(ms) ?? 0) + 1)
  return [...counts].map(([ms, count]) => ({ ms, count }))
}

it.each([
  [[7], 7, 7],
  [[1, 2], 1.5, 2],
  [[3, 1, 2], 2, 3],
  [[1, 1, 1, 100], 1, 100],
  [Array.from({ length: 20 }, (_, at) => at + 1), 10.5, 19],
  [Array.from({ length: 100 }, (_, at) => at + 1), 50.5, 95],
  [Array.from({ length: 101 }, (_, at) => at + 1), 51, 96],
])('of %j the median is %d, and 95 %% are at most %d', (values, medianMs, p95Ms) => {
  expect(summarizeClearance(countEach(values))).toEqual({ count: values.length, medianMs, p95Ms })
})

it('has no time to clearance when nothing was decided', () => {
  expect(summarizeClearance([])).toEqual({ count: 0 })
})

it('is exact for any durations', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(durations, (values) => {
      const { count, medianMs = NaN, p95Ms = NaN } = summarizeClearance(countEach(values))
      const sorted = values.toSorted((one, other) => one - other)
      const middle = (sorted.length - 1) / 2
      expect(count).toBe(values.length)
      expect(medianMs).toBe((sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2)
      const within = (limit: number) => values.filter((value) => value <= limit).length
      expect(within(p95Ms)).toBeGreaterThanOrEqual(0.95 * count)
      expect(within(p95Ms - 1)).toBeLessThan(0.95 * count)
    }),
  )
})

it('adds hours to their days, each day until the next begins', () => {
  const starts = ['2026-02-13T23', '2026-02-14T23', '2026-02-16T00'].map(
    (hour) => `${hour}:00:00.000Z`,
  )
  const at = (hour: string, currency = 'MAD') => {
    return { hour, currency, invoices: 1, creditNotes: 2, amountTtc: 5 }
  }
  const days = foldHours(starts, [
    at('2026-02-13T22'),
    at('2026-02-13T23'),
    at('2026-02-14T22', 'JPY'),
    at('2026-02-14T23'),
    at('2026-02-15T23'),
    at('2026-02-16T00'),
    at('2026-02-17T23'),
  ])
  expect(days).toEqual([
    {
      invoices: 2,
      creditNotes: 4,
      amounts: [
        { currency: 'JPY', amountTtc: 5 },
        { currency: 'MAD', amountTtc: 5 },
      ],
    },
    { invoices: 2, creditNotes: 4, amounts: [{ currency: 'MAD', amountTtc: 10 }] },
    { invoices: 2, creditNotes: 4, amounts: [{ currency: 'MAD', amountTtc: 10 }] },
  ])
  expect(foldHours(starts, [])).toEqual(
    starts.map(() => ({ invoices: 0, creditNotes: 0, amounts: [] })),
  )
})
