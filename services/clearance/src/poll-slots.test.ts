import { PollSlots } from './poll-slots'

const options = { perSecondMin: 40, delayMaxMs: 5_000 }
const middle = 0.5
const nowMs = 1_700_000_000_000

function take(slots: PollSlots, count: number, atMs = nowMs): number[] {
  return Array.from({ length: count }, () => slots.take(atMs, 250, middle))
}

/** In each of the next seconds. */
function perSecond(waits: readonly number[]): number[] {
  const counts: number[] = []
  for (const waitMs of waits) {
    const second = Math.floor((waitMs - 200) / 1_000)
    counts[second] = (counts[second] ?? 0) + 1
  }
  return counts
}

it('does not delay a few polls', () => {
  expect(take(new PollSlots(options), 4)).toEqual([250, 250, 250, 250])
})

it('spreads many over the seconds that follow, never earlier than they were due', () => {
  const waits = take(new PollSlots(options), 160)
  expect(perSecond(waits)).toEqual([40, 40, 40, 40])
  expect(Math.min(...waits)).toBe(250)
})

it('delays none beyond the limit, however many there are', () => {
  const slots = new PollSlots(options)
  const waits = Array.from({ length: 20_000 }, (_, n) => slots.take(nowMs, 250, n / 20_000))
  expect(Math.max(...waits)).toBeLessThanOrEqual(250 + options.delayMaxMs)
  expect(Math.min(...perSecond(waits).slice(0, 5))).toBeGreaterThan(3_000)
})

it('allows more while the platform decides more, and fewer some time later', () => {
  const slots = new PollSlots(options)
  for (let ms = 0; ms < 10_000; ms += 10) slots.countDecision(nowMs - 10_000 + ms)
  expect(perSecond(take(slots, 600))[0]).toBeGreaterThan(150)
  expect(perSecond(take(slots, 160, nowMs + 60_000)).slice(0, 4)).toEqual([40, 40, 40, 40])
})

it('keeps a distant poll, also when the clock is set back', () => {
  const slots = new PollSlots(options)
  for (let n = 0; n < 100; n += 1) expect(slots.take(nowMs, 60_000, middle)).toBe(60_000)
  slots.countDecision(nowMs)
  expect(slots.take(nowMs - 3_600_000, 250, middle)).toBe(250)
})
