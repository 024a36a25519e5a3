import { readSubmissionAnswer, readSubmitAnswer } from './read-answer'

const now = new Date('2026-03-04T05:06:07.000Z')
const receivedAt = '2026-03-04T05:06:07.000Z'
const decidedAt = '2026-03-04T05:06:08.000Z'

const answer = (status: number, body: unknown, retryAfter?: string) => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  retryAfter,
})
const submission = (fields: object) => ({ submissionId: 's-1', receivedAt, decidedAt, ...fields })
const accepted = { status: 'ACCEPTED', reference: 'R', qrCode: 'Q', qrPayload: 'P' }
const rejected = { status: 'REJECTED', errorCode: 'E', errorMessage: 'M' }

const onSubmit = (status: number, body: unknown, retryAfter?: string) =>
  readSubmitAnswer(answer(status, body, retryAfter), now)
const onRead = (status: number, body: unknown, retryAfter?: string) =>
  readSubmissionAnswer(answer(status, body, retryAfter), now)

describe('an answer to a submission', () => {
  it.each([200, 201, 202])('%i with the protocol’s body is received', (status) => {
    const body = {
      submissionId: 's-1',
      receivedAt: '2026-03-04T06:06:07+01:00',
      documentSha256: 'AB',
    }
    expect(onSubmit(status, body)).toEqual({
      kind: 'received',
      submissionId: 's-1',
      receivedAt,
      documentSha256: 'ab',
      raw: JSON.stringify(body),
    })
  })

  it.each([
    ['HTML', '<html></html>'],
    ['nothing', ''],
    ['half a body', '{"submissionId":"s-1"'],
    ['an array', []],
    ['null', 'null'],
    ['no id', { receivedAt }],
    ['an empty id', { submissionId: '', receivedAt }],
    ['a numeric id', { submissionId: 7, receivedAt }],
    ['an id that climbs', { submissionId: '../x', receivedAt }],
    ['dots for an id', { submissionId: '..', receivedAt }],
    ['an id of 201 characters', { submissionId: 'x'.repeat(201), receivedAt }],
    ['no moment', { submissionId: 's-1' }],
    ['no date', { submissionId: 's-1', receivedAt: '2026' }],
    ['an impossible date', { submissionId: 's-1', receivedAt: '2026-13-04T05:06:07Z' }],
  ])('202 with %s is unclear', (_, body) => {
    expect(onSubmit(202, body)).toMatchObject({ kind: 'unclear' })
  })

  it('accepts an id of 200 characters', () => {
    expect(onSubmit(202, { submissionId: 'x'.repeat(200), receivedAt }).kind).toBe('received')
  })
})

describe('an answer to a query', () => {
  it.each([
    ['processing', { status: 'PROCESSING', decidedAt: null }],
    ['accepted', accepted],
    ['rejected', rejected],
    ['rejected', { ...rejected, errorMessage: null }],
  ])('is %s', (kind, fields) => {
    const body = submission(fields)
    expect(onRead(200, body)).toMatchObject({
      kind,
      submissionId: 's-1',
      raw: JSON.stringify(body),
    })
  })

  it('a decision stores the platform’s answer, with times in UTC', () => {
    const body = submission({ ...accepted, decidedAt: '2026-03-04T06:06:08+01:00' })
    expect(onRead(200, body)).toMatchObject({
      reference: 'R',
      qrCode: 'Q',
      qrPayload: 'P',
      decidedAt,
    })
    expect(onRead(200, submission(rejected))).toMatchObject({ errorCode: 'E', errorMessage: 'M' })
  })

  it.each([
    ['no status', {}],
    ['a status of its own', { status: 'PENDING' }],
    ['ACCEPTED without a reference', { ...accepted, reference: null }],
    ['ACCEPTED without a QR code', { ...accepted, qrCode: '' }],
    ['ACCEPTED without a payload', { ...accepted, qrPayload: undefined }],
    ['ACCEPTED without its moment', { ...accepted, decidedAt: null }],
    ['REJECTED without a code', { ...rejected, errorCode: null }],
    ['REJECTED without its moment', { ...rejected, decidedAt: 'yesterday' }],
  ])('%s is unclear, never half a decision', (_, fields) => {
    expect(onRead(200, submission(fields))).toMatchObject({ kind: 'unclear' })
  })

  it.each([
    ['reference', 'x'.repeat(200), 'x'.repeat(201), '201 characters, at most 200'],
    ['qrCode', 'x'.repeat(2_331), 'x'.repeat(2_332), '2332 bytes, at most 2331'],
    ['qrCode', 'é'.repeat(1_165), 'é'.repeat(1_166), '2332 bytes, at most 2331'],
    ['qrPayload', 'x'.repeat(4_096), 'x'.repeat(4_097), '4097 characters, at most 4096'],
    ['reference', 'DGI-é-1', 'DGI\u0000', 'control characters'],
    ['qrCode', 'https://x/?p=1', 'https://x/\n', 'control characters'],
    ['qrPayload', '😀', '\ud83d', 'control characters'],
  ])(
    'an acceptance keeps a %s that can be used and is unclear with another',
    (field, good, bad, why) => {
      expect(onRead(200, submission({ ...accepted, [field]: good }))).toMatchObject({
        kind: 'accepted',
        [field]: good,
      })
      const unclear = onRead(200, submission({ ...accepted, [field]: bad }))
      expect(unclear).toMatchObject({ kind: 'unclear', reason: expect.stringContaining(why) })
      expect(unclear).toMatchObject({ reason: expect.stringContaining(`ACCEPTED, but ${field} h`) })
    },
  )

  it('a rejection is stored whatever its text, cleaned for storage', () => {
    const whole = { errorCode: 'x'.repeat(64), errorMessage: 'é'.repeat(1_000) }
    expect(onRead(200, submission({ ...rejected, ...whole }))).toMatchObject(whole)
    const long = { errorCode: 'x'.repeat(65), errorMessage: `${'é'.repeat(998)}😀é` }
    expect(onRead(200, submission({ ...rejected, ...long }))).toMatchObject({
      kind: 'rejected',
      errorCode: `${'x'.repeat(63)}…`,
      errorMessage: `${'é'.repeat(998)}…`,
    })
    const broken = { errorCode: 'A\u0000B', errorMessage: 'one\r\ntwo\u001b[31m' }
    expect(onRead(200, submission({ ...rejected, ...broken }))).toMatchObject({
      errorCode: 'A B',
      errorMessage: 'one  two [31m',
    })
    expect(onRead(200, submission({ ...rejected, errorCode: '\u0001' }))).toMatchObject({
      kind: 'rejected',
      errorCode: 'UNSPECIFIED',
    })
  })

  it('404 counts as unknown only with the platform’s own body', () => {
    expect(onRead(404, { code: 'SUBMISSION_NOT_FOUND' })).toEqual({ kind: 'unknown' })
    expect(onRead(404, '<html>nginx</html>')).toMatchObject({ kind: 'unclear' })
    expect(onRead(404, '')).toMatchObject({ kind: 'unclear' })
  })
})

describe.each([
  ['submission', onSubmit],
  ['question', onRead],
])('a %s refused', (_, read) => {
  it.each([
    [400, 'refused'],
    [401, 'misconfigured'],
    [402, 'refused'],
    [403, 'misconfigured'],
    [405, 'misconfigured'],
    [407, 'misconfigured'],
    [408, 'unclear'],
    [409, 'duplicate'],
    [410, 'refused'],
    [413, 'refused'],
    [415, 'misconfigured'],
    [422, 'duplicate'],
    [425, 'unclear'],
    [429, 'throttled'],
    [499, 'refused'],
    [301, 'unclear'],
    [302, 'unclear'],
    [500, 'unclear'],
    [502, 'unclear'],
    [503, 'unclear'],
    [504, 'unclear'],
    [599, 'unclear'],
  ])('HTTP %i is %s, whatever the body', (status, kind) => {
    expect(read(status, '<html></html>').kind).toBe(kind)
    expect(read(status, submission(accepted)).kind).toBe(kind)
  })

  it('returns how long to wait', () => {
    expect(read(429, {}, '7')).toEqual({ kind: 'throttled', retryAfterMs: 7_000 })
    expect(read(429, {})).toEqual({ kind: 'throttled', retryAfterMs: undefined })
    expect(read(503, {}, '7')).toMatchObject({ kind: 'unclear', retryAfterMs: 7_000 })
  })
})

it('a submission answered with 404 means a wrong address', () => {
  expect(onSubmit(404, { code: 'NOT_FOUND' }).kind).toBe('misconfigured')
})
