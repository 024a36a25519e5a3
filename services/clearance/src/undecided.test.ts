import { signedEvent } from './testdata/signed'
import { UndecidedInvoices, type Undecided } from './undecided'

const earlier = '2026-03-04T05:06:07.000Z'
const later = '2026-03-04T05:06:07.001Z'
const nowMs = Date.parse(later)

let invoices: UndecidedInvoices
beforeEach(() => {
  invoices = new UndecidedInvoices()
})

const claim = (clearanceStartedAt = earlier, atMs = nowMs, attempt = 1): Undecided | undefined =>
  invoices.claim(signedEvent('a', { clearanceStartedAt }), attempt, atMs)

it('has possibly sent what is stored as transmitted', () => {
  expect(claim()).toMatchObject({
    maybeSent: false,
    isTransmissionPublished: false,
    firstSeenAtMs: nowMs,
  })
  expect(invoices.claim(signedEvent('b'), 2, nowMs)).toMatchObject({ maybeSent: false })
  expect(invoices.claim(signedEvent('c', { transmitted: true }), 1, nowMs)).toMatchObject({
    maybeSent: true,
    isTransmissionPublished: true,
  })
})

it('the next delivery has the state of the last one', () => {
  const first = claim()!
  first.failedSubmissions = 3
  invoices.release(first, nowMs, 1_000)
  expect(claim(earlier, nowMs + 1_000, 2)).toBe(first)
})

it('rejects a second delivery during the first', () => {
  const first = claim()!
  expect(claim(earlier, nowMs, 2)).toBeUndefined()
  invoices.release(first, nowMs, 0)
  expect(claim(earlier, nowMs, 2)).toBe(first)
})

it('rejects other deliveries: another event, or the same one published again', () => {
  const first = claim(earlier, nowMs, 3)!
  invoices.release(first, nowMs, 1_000)
  const another = { ...signedEvent('a', { clearanceStartedAt: earlier }), id: 'another' }
  expect(invoices.claim(another, 4, nowMs + 1_000)).toBeUndefined()
  expect(claim(earlier, nowMs + 1_000, 1)).toBeUndefined()
  expect(claim(earlier, nowMs + 1_000, 3)).toBeUndefined()
  expect(claim(earlier, nowMs + 1_000, 4)).toBe(first)
})

it('any delivery may handle an invoice left alone for a minute', () => {
  const first = claim(earlier, nowMs, 3)!
  invoices.release(first, nowMs, 1_000)
  expect(claim(earlier, nowMs + 61_000, 1)).toBeUndefined()
  expect(claim(earlier, nowMs + 61_001, 1)).toBe(first)
  invoices.release(first, nowMs + 61_001, 0)
  expect(claim(earlier, nowMs + 61_002, 2)).toBe(first)
})

describe('a delivery that comes late', () => {
  const dayMs = 86_400_000

  it('after a time without any: the invoice gets the grace of a first one', () => {
    const first = claim(earlier, nowMs, 1)!
    const second = invoices.claim(signedEvent('b'), 1, nowMs)!
    invoices.release(first, nowMs, 1_000)
    invoices.release(second, nowMs, 1_000)
    claim(earlier, nowMs + dayMs, 2)
    expect(first.firstSeenAtMs).toBe(nowMs + dayMs)
    invoices.claim(signedEvent('b'), 2, nowMs + dayMs + 1_000)
    expect(second.firstSeenAtMs).toBe(nowMs + dayMs + 1_000)
  })

  it('a delivery that lasted for minutes: the next one gets it', () => {
    const first = claim(earlier, nowMs, 1)!
    invoices.release(first, nowMs + 300_000, 1_000)
    expect(first.firstSeenAtMs).toBe(nowMs)
    claim(earlier, nowMs + 301_000, 2)
    invoices.release(first, nowMs + 301_000 + dayMs, 1_000)
    expect(first.firstSeenAtMs).toBe(nowMs + 301_000 + dayMs)
  })

  it('while others came in time: it does not', () => {
    const first = claim(earlier, nowMs, 1)!
    invoices.release(first, nowMs, 1_000)
    for (let n = 1; n <= 10; n++) invoices.claim(signedEvent(`n-${n}`), 1, nowMs + n * 60_000)
    claim(earlier, nowMs + 600_000, 2)
    expect(first.firstSeenAtMs).toBe(nowMs)
  })

  it('after a long wait that was asked for: it does not', () => {
    const first = claim(earlier, nowMs, 1)!
    invoices.release(first, nowMs, 300_000)
    claim(earlier, nowMs + 360_000, 2)
    expect(first.firstSeenAtMs).toBe(nowMs)
  })
})

it('a newer attempt takes over, also during work, and an older one ends', () => {
  const old = claim(earlier)!
  const newer = claim(later)!
  expect(newer).toMatchObject({ startedAt: later, failedSubmissions: 0 })
  expect(claim(earlier, nowMs + 60_000, 2)).toBeUndefined()
  invoices.forget('a', old)
  invoices.release(newer, nowMs, 0)
  expect(claim(later, nowMs, 2)).toBe(newer)
})

it('starts again once forgotten', () => {
  const first = claim()!
  invoices.forget('a', first)
  expect(claim()).not.toBe(first)
})

it('forgets what was not delivered for the longest time when it remembers too many', () => {
  const remembered = 100_000
  const first = invoices.claim(signedEvent('first'), 1, nowMs)!
  for (let n = 1; n < remembered; n++) invoices.claim(signedEvent(`n-${n}`), 1, nowMs)
  invoices.release(first, nowMs, 0)
  invoices.claim(signedEvent('first'), 2, nowMs)
  invoices.claim(signedEvent('one more'), 1, nowMs)
  expect(invoices.claim(signedEvent('first'), 2, nowMs)).toBeUndefined()
  expect(invoices.claim(signedEvent('n-1'), 1, nowMs)).toBeDefined()
})

it('forgets the oldest when it remembers too many', () => {
  const remembered = 100_000
  const first = invoices.claim(signedEvent('first'), 1, nowMs)
  for (let n = 1; n < remembered; n++) invoices.claim(signedEvent(`n-${n}`), 1, nowMs)
  expect(invoices.claim(signedEvent('first'), 1, nowMs)).toBeUndefined()
  invoices.claim(signedEvent('one more'), 1, nowMs)
  expect(invoices.claim(signedEvent('first'), 1, nowMs)).not.toBe(first)
  expect(invoices.claim(signedEvent('first'), 1, nowMs)).toBeUndefined()
})
