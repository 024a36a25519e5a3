import { toTimeoutFailure, giveUpAtMs, toRejectionFailure } from './give-up'
import type { Obstacle } from './next-step'
import type { Undecided } from './undecided'

const startedAtMs = Date.parse('2026-03-04T05:06:07.000Z')
const dayMs = 86_400_000

const undecided = (known: Partial<Undecided> = {}): Undecided => ({
  startedAt: new Date(startedAtMs).toISOString(),
  startedAtMs,
  firstSeenAtMs: startedAtMs,
  deliveredAtMs: startedAtMs,
  maybeSent: false,
  isTransmissionPublished: false,
  submission: undefined,
  troubledSinceMs: undefined,
  failedSubmissions: 0,
  isAtWork: true,
  carrier: { eventId: 'a', attempt: 1, dueAtMs: 0 },
  ...known,
})

describe('giving up', () => {
  it('depends on the age of the attempt', () => {
    expect(giveUpAtMs(undecided(), dayMs)).toBe(startedAtMs + dayMs)
  })

  it('depends on the age of the submission, once the platform has it', () => {
    const submission = { id: 's-1', receivedAtMs: startedAtMs + 1_000 }
    expect(giveUpAtMs(undecided({ submission }), dayMs)).toBe(startedAtMs + 1_000 + dayMs)
  })

  it('begins again with a new attempt, though the platform has long had the submission', () => {
    const submission = { id: 's-1', receivedAtMs: startedAtMs - 25 * 3_600_000 }
    expect(giveUpAtMs(undecided({ submission }), dayMs)).toBe(startedAtMs + dayMs)
  })

  it('an invoice that became too old during downtime gets a minute more', () => {
    const firstSeenAtMs = startedAtMs + 3 * dayMs
    expect(giveUpAtMs(undecided({ firstSeenAtMs }), dayMs)).toBe(firstSeenAtMs + 60_000)
    expect(giveUpAtMs(undecided({ firstSeenAtMs }), 1_000)).toBe(firstSeenAtMs + 1_000)
  })
})

const raw = '{"code":"PAYLOAD_TOO_LARGE",\n "message":"too large"}'

it.each<[Obstacle, string, string]>([
  [{ kind: 'unclear', reason: 'HTTP 503', retryAfterMs: 1 }, 'AUTHORITY_UNREACHABLE', 'HTTP 503'],
  [
    { kind: 'held', reason: 'it requested a pause', againInMs: 1 },
    'AUTHORITY_UNREACHABLE',
    'a pause',
  ],
  [{ kind: 'throttled', retryAfterMs: 1 }, 'AUTHORITY_BUSY', 'HTTP 429'],
  [{ kind: 'misconfigured', status: 401, raw: '' }, 'CREDENTIALS_REFUSED', '(last: HTTP 401)'],
  [{ kind: 'refused', status: 413, raw }, 'SUBMISSION_REFUSED', '"message":"too large"'],
  [{ kind: 'duplicate', status: 409, raw: '<html>' }, 'SUBMISSION_REFUSED', '(last: HTTP 409)'],
])('says of %j what happened and what to do', (last, errorCode, reported) => {
  const failure = toTimeoutFailure(last, undecided(), dayMs)
  expect(failure.errorCode).toBe(errorCode)
  expect(failure.errorMessage).toContain(reported)
  expect(failure.errorMessage).toContain('within 24 h')
  expect(failure.errorMessage).toContain('POST /v1/invoices/:id/resubmit')
  const submission = { id: 's-1', receivedAtMs: startedAtMs }
  expect(toTimeoutFailure(last, undecided({ submission }), dayMs).errorCode).toBe(
    'NO_VERDICT_IN_TIME',
  )
})

it('says of a document that cannot be read that the operator must restore it', () => {
  const submission = { id: undefined, receivedAtMs: startedAtMs }
  for (const each of [undecided(), undecided({ submission })]) {
    const last = { kind: 'unreadable', reason: 'ENOENT', neverSent: false } as const
    expect(toTimeoutFailure(last, each, dayMs)).toEqual({
      errorCode: 'DOCUMENT_UNREADABLE',
      errorMessage: expect.stringMatching(
        /operator of this service has restored it, send it again with POST/,
      ) as string,
    })
  }
})

it.each<[Obstacle, string]>([
  [
    {
      ...{ kind: 'unclear', retryAfterMs: undefined, publicReason: 'connection failed' },
      reason: 'ECONNREFUSED: connect ECONNREFUSED 10.0.3.7:8443',
    },
    '(last: connection failed)',
  ],
  [{ kind: 'misconfigured', status: 401, raw: '{"key":"k-1"}' }, '(last: HTTP 401)'],
])('names no address and quotes no body that is about us: %j', (last, reported) => {
  expect(toTimeoutFailure(last, undecided(), dayMs).errorMessage).toContain(reported)
})

it('quotes the platform’s error, shortened', () => {
  const { errorCode, errorMessage } = toRejectionFailure({
    kind: 'refused',
    status: 400,
    raw: 'x'.repeat(2_000),
  })
  expect(errorCode).toBe('SUBMISSION_REFUSED')
  expect(errorMessage).toContain(`HTTP 400 ${'x'.repeat(300)})`)
})

it('names the submission that holds another document, and promises nothing of sending again', () => {
  const { errorMessage } = toRejectionFailure({ kind: 'foreign', submissionId: 's-9' })
  expect(errorMessage).toContain('submission s-9')
  expect(errorMessage).not.toContain('/resubmit')
})

it.each([
  [1_000, '1 s'],
  [90_000, '90 s'],
  [120_000, '2 min'],
  [3_600_000, '1 h'],
])('writes %i ms as %s', (ms, words) => {
  const last: Obstacle = { kind: 'unclear', reason: 'HTTP 500', retryAfterMs: undefined }
  expect(toTimeoutFailure(last, undecided(), ms).errorMessage).toContain(`within ${words} `)
})
