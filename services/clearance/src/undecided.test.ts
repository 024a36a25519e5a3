import { signedEvent } from './testdata/signed'
import { UndecidedInvoices, type Undecided } from './undecided'

const earlier = '2026-03-04T05:06:07.000Z'
const later = '2026-03-04T05:06:07.001Z'
const nowMs = Date.parse(later)

let invoices: UndecidedInvoices
beforeEach(() => {
  invoices = new UndecidedInvoices()
})

const meet = (clearanceStartedAt = earlier, atMs = nowMs, attempt = 1): Undecided | undefined =>
  invoices.meet(signedEvent('a', { clearanceStartedAt }), attempt, atMs)

it('has possibly sent what is stored as transmitted', () => {
  expect(meet()).toMatchObject({
    maybeSent: false,
    isTransmissionPublished: false,
    firstSeenAtMs: nowMs,
  })
  expect(invoices.meet(signedEvent('b'), 2, nowMs)).toMatchObject({ maybeSent: false })
  expect(invoices.meet(signedEvent('c', { transmitted: true }), 1, nowMs)).toMatchObject({
    maybeSent: true,
    isTransmissionPublished: true,
  })
})

it('the next delivery has the state of the last one', () => {
  const first = meet()!
  first.failedSubmissions = 3
  invoices.rest(first, nowMs, 1_000)
  expect(meet(earlier, nowMs + 1_000, 2)).toBe(first)
})

it('rejects a second delivery during the first', () => {
  const first = meet()!
  expect(meet(earlier, nowMs, 2)).toBeUndefined()
  invoices.rest(first, nowMs, 0)
  expect(meet(earlier, nowMs, 2)).toBe(first)
})

it('rejects other deliveries: another event, or the same one published again', () => {
  const first = meet(earlier, nowMs, 3)!
  invoices.rest(first, nowMs, 1_000)
  const another = { ...signedEvent('a', { clearanceStartedAt: earlier }), id: 'another' }
  expect(invoices.meet(another, 4, nowMs + 1_000)).toBeUndefined()
  expect(meet(earlier, nowMs + 1_000, 1)).toBeUndefined()
  expect(meet(earlier, nowMs + 1_000, 3)).toBeUndefined()
  expect(meet(earlier, nowMs + 1_000, 4)).toBe(first)
})

it('any delivery may handle an invoice left alone for a minute', () => {
  const first = meet(earlier, nowMs, 3)!
  invoices.rest(first, nowMs, 1_000)
  expect(meet(earlier, nowMs + 61_000, 1)).toBeUndefined()
  expect(meet(earlier, nowMs + 61_001, 1)).toBe(first)
  invoices.rest(first, nowMs + 61_001, 0)
  expect(meet(earlier, nowMs + 61_002, 2)).toBe(first)
})

it('a newer attempt takes over, also during work, and an older one ends', () => {
  const old = meet(earlier)!
  const newer = meet(later)!
  expect(newer).toMatchObject({ startedAt: later, failedSubmissions: 0 })
  expect(meet(earlier, nowMs + 60_000, 2)).toBeUndefined()
  invoices.forget('a', old)
  invoices.rest(newer, nowMs, 0)
  expect(meet(later, nowMs, 2)).toBe(newer)
})

it('starts again once forgotten', () => {
  const first = meet()!
  invoices.forget('a', first)
  expect(meet()).not.toBe(first)
})

it('forgets the oldest when it remembers too many', () => {
  const remembered = 100_000
  const first = invoices.meet(signedEvent('first'), 1, nowMs)
  for (let n = 1; n < remembered; n++) invoices.meet(signedEvent(`n-${n}`), 1, nowMs)
  expect(invoices.meet(signedEvent('first'), 1, nowMs)).toBeUndefined()
  invoices.meet(signedEvent('one more'), 1, nowMs)
  expect(invoices.meet(signedEvent('first'), 1, nowMs)).not.toBe(first)
  expect(invoices.meet(signedEvent('first'), 1, nowMs)).toBeUndefined()
})
