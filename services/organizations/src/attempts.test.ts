import { Attempts, takeAttempt } from './attempts'

const start = Date.parse('2026-01-01T00:00:00Z')
let nowMs = start
const now = () => new Date(nowMs)

beforeEach(() => {
  nowMs = start
})

const upTo = (max: number) => new Attempts({ max, windowMs: 60_000 }, now)

function waitOf(limited: Parameters<typeof takeAttempt>[0]): number {
  try {
    takeAttempt(limited)
  } catch (error) {
    expect(error).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
    return (error as { retryAfterSeconds: number }).retryAfterSeconds
  }
  return 0
}

it('allows as many as the limit says, then asks to wait for the end of the window', () => {
  const attempts = upTo(2)
  expect(waitOf([[attempts, 'a']])).toBe(0)
  nowMs += 10_000
  expect(waitOf([[attempts, 'a']])).toBe(0)
  expect(waitOf([[attempts, 'a']])).toBe(50)
  nowMs += 49_001
  expect(waitOf([[attempts, 'a']])).toBe(1)
  nowMs += 999
  expect(waitOf([[attempts, 'a']])).toBe(0)
})

it('counts each key for itself', () => {
  const attempts = upTo(1)
  expect(waitOf([[attempts, 'a']])).toBe(0)
  expect(waitOf([[attempts, 'b']])).toBe(0)
  expect(waitOf([[attempts, 'a']])).toBe(60)
})

it('does not lengthen the wait of those who try while they must wait', () => {
  const attempts = upTo(1)
  takeAttempt([[attempts, 'a']])
  nowMs += 59_000
  expect(waitOf([[attempts, 'a']])).toBe(1)
  nowMs += 1_000
  expect(waitOf([[attempts, 'a']])).toBe(0)
})

it('takes an attempt back that is forgiven', () => {
  const attempts = upTo(1)
  for (let n = 0; n < 5; n += 1) {
    expect(waitOf([[attempts, 'a']])).toBe(0)
    attempts.forgive('a')
  }
  attempts.forgive('never seen')
})

it('counts in no limit what one limit refuses, and tells the longest wait', () => {
  const [tight, wide] = [upTo(1), upTo(2)]
  takeAttempt([[tight, 'a']])
  expect(
    waitOf([
      [tight, 'a'],
      [wide, 'a'],
    ]),
  ).toBe(60)
  nowMs += 60_000
  takeAttempt([[wide, 'a']])
  expect(waitOf([[wide, 'a']])).toBe(0)
  expect(waitOf([[wide, 'a']])).toBe(60)
})

it('forgets what is over, and under a flood of keys the oldest first', () => {
  const attempts = upTo(1)
  for (let n = 0; n <= 100_000; n += 1) attempts.count(`${n}`)
  expect(attempts.secondsToWait('0')).toBe(0)
  expect(attempts.secondsToWait('1')).toBe(60)
  expect(attempts.secondsToWait('100000')).toBe(60)
})
