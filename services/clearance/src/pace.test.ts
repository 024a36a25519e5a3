import fc from 'fast-check'
import { defaultPace, computeHoldWaitMs, pollWaitMs, retryWaitMs } from './pace'

const age = fc.integer({ min: 0, max: 7 * 86_400_000 })
const random = fc.double({ min: 0, max: 0.999_999, noNaN: true })
const middle = 0.5

it('polls for a decision quickly at first, then less and less often', () => {
  const waits = [0, 1_500, 6_000, 60_000, 180_000, 3_599_999, 3_600_000, 86_400_000].map((ageMs) =>
    pollWaitMs(defaultPace, ageMs, middle),
  )
  expect(waits).toEqual([250, 250, 1_000, 10_000, 30_000, 30_000, 300_000, 300_000])
})

it('tries a technical failure again within a fifth of its age, from a second to half a minute', () => {
  const waits = [0, 5_000, 10_000, 60_000, 150_000, 86_400_000].map((ageMs) =>
    retryWaitMs(defaultPace, ageMs, middle),
  )
  expect(waits).toEqual([1_000, 1_000, 2_000, 12_000, 30_000, 30_000])
})

it('keeps jitter within its bounds, never to nothing', () => {
  fc.assert(
    fc.property(age, random, (ageMs, drawn) => {
      const poll = pollWaitMs(defaultPace, ageMs, middle)
      const retry = retryWaitMs(defaultPace, ageMs, middle)
      expect(Math.abs(pollWaitMs(defaultPace, ageMs, drawn) - poll)).toBeLessThanOrEqual(poll / 4)
      expect(Math.abs(retryWaitMs(defaultPace, ageMs, drawn) - retry)).toBeLessThanOrEqual(
        retry / 2,
      )
    }),
  )
})

it('invoices held together are retried over two seconds once allowed', () => {
  expect(
    [0, middle].map((drawn) =>
      computeHoldWaitMs(defaultPace, { againInMs: 4_000, hasFailed: false }, drawn),
    ),
  ).toEqual([4_000, 5_000])
})

it('held invoices that failed are retried after the others', () => {
  const hold = { againInMs: 4_000, hasFailed: true }
  expect([0, middle].map((drawn) => computeHoldWaitMs(defaultPace, hold, drawn))).toEqual([
    6_000, 7_000,
  ])
})
