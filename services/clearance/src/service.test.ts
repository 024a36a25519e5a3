import type { EventData, EventType } from '@einvoicing/events/event'
import { ApiError } from '@einvoicing/domain/api-error'
import { metrics } from '@einvoicing/runtime/metrics'
import { quickPace, shortDeadline, startClearance } from './testdata/clearance-at-work'
import type { AtWork, AtWorkOptions } from './testdata/clearance-at-work'
import { answerWith, cutAfter, strikeOnce, type Failure } from './testdata/scripted-platform'
import { toSha256, signedEvent, makeXml } from './testdata/signed'

let atWork: AtWork
const start = async (options?: AtWorkOptions) => (atWork = await startClearance(options))
afterEach(() => atWork.close())

const findData = <T extends EventType>(type: T) =>
  atWork.events.find((event) => event.type === type)?.data as EventData[T]

const silence = (strikes: Failure['strikes']): Failure => ({ strikes, answer: 'silence' })

describe('what it publishes', () => {
  it('the transmission, with the platform’s moment, before the decision, once', async () => {
    await start()
    atWork.platform.decide = ({ reads }) =>
      reads < 6
        ? { status: 'PROCESSING' }
        : { status: 'ACCEPTED', decidedAt: '2026-03-04T05:06:07.890Z' }
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    const { submissionId, receivedAt } = atWork.platform.submissions.get('a')!
    expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
    expect(findData('clearance.transmitted')).toEqual({
      submissionId,
      submittedAt: receivedAt,
      answer: JSON.stringify({ submissionId, receivedAt }),
    })
    const accepted = findData('clearance.accepted')
    expect(accepted).toMatchObject({
      submissionId,
      reference: 'REF-a',
      qrCode: 'http://verify',
      qrPayload: 'signed',
      decidedAt: '2026-03-04T05:06:07.890Z',
      submittedAt: receivedAt,
    })
    expect(JSON.parse(accepted.answer)).toMatchObject({ status: 'ACCEPTED', reference: 'REF-a' })
  })

  it('a rejection with the platform’s message', async () => {
    await start()
    atWork.platform.decide = () => ({ status: 'REJECTED', decidedAt: '2026-03-04T05:06:07.890Z' })
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.rejected'])
    expect(findData('clearance.rejected')).toMatchObject({
      errorCode: 'BUYER_UNKNOWN',
      errorMessage: 'The buyer is not known.',
      submittedAt: atWork.platform.submissions.get('a')!.receivedAt,
    })
  })

  it('of a transmitted invoice only the decision', async () => {
    await start()
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    atWork.events.length = 0
    await atWork.bus.publish(signedEvent('a', { transmitted: true }))
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.accepted'])
    expect(atWork.requestKinds().filter((kind) => kind === 'submit')).toHaveLength(1)
  })

  it('the same under the same id, with caller and organization', async () => {
    await start()
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    const ids = atWork.events.map(({ id }) => id)
    atWork.events.length = 0
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.events.map(({ id }) => id)).toEqual(ids)
    expect(new Set(ids).size).toBe(2)
    for (const event of atWork.events) {
      expect(event).toMatchObject({
        source: 'clearance',
        subject: 'a',
        organizationid: 'organization-1',
      })
    }
    expect(atWork.platform.submissions.size).toBe(1)
  })

  it('counts each answer by request and kind', async () => {
    metrics.resetMetrics()
    await start()
    strikeOnce(atWork.platform, 'submit', answerWith(500))
    await atWork.bus.publish(signedEvent('a', { clearanceStartedAt: new Date().toISOString() }))
    await atWork.ended('a')
    const text = await metrics.metrics()
    expect(text).toContain(
      'einvoicing_clearance_answers_total{question="submit",answer="unclear"} 1',
    )
    expect(text).toContain(
      'einvoicing_clearance_answers_total{question="submit",answer="received"} 1',
    )
    expect(text).toContain('einvoicing_clearance_retries_total{answer="unclear"} 1')
    expect(text).toContain('einvoicing_clearance_outcomes_total{outcome="accepted"} 1')
    expect(text).toContain('einvoicing_clearance_latency_seconds_count{outcome="accepted"} 1')
  })
})

describe('the signed XML', () => {
  it('is read for the organization, once per submission, never for a query', async () => {
    await start()
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.reads.map(({ caller }) => caller)).toEqual([
      { service: 'clearance', organizationId: 'organization-1', actor: 'service:clearance' },
    ])
    expect(atWork.platform.submissions.get('a')?.xml).toBe(makeXml('a').toString())
  })

  it('of an invoice that does not exist ends the work without an event', async () => {
    let reads = 0
    await start({
      invoices: {
        readSignedXml: async () => {
          reads += 1
          throw new ApiError('INVOICE_NOT_FOUND', 'Not there.')
        },
      },
    })
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => reads === 1)
    await atWork.close()
    expect({ reads, asked: atWork.requestKinds(), published: atWork.published('a') }).toEqual({
      reads: 1,
      asked: [],
      published: [],
    })
  })

  it('that cannot be read now is read again', async () => {
    let reads = 0
    await start({
      invoices: {
        readSignedXml: async ({ invoiceId }) => {
          reads += 1
          if (reads < 2) throw new ApiError('SERVICE_UNAVAILABLE', 'Away.')
          return { xml: makeXml(invoiceId), sha256: toSha256(makeXml(invoiceId)), neverSent: true }
        },
      },
    })
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.requestKinds()).toEqual(['submit', 'read', 'read'])
  })
})

describe('the platform rejects a request', () => {
  it.each([400, 413])('%i, five times: given up, with the platform’s message', async (status) => {
    await start()
    atWork.platform.failWith = ({ kind }) =>
      kind === 'submit' ? answerWith(status, { message: 'too large' }) : undefined
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.requestKinds()).toEqual(['submit', ...Array(4).fill(['find', 'submit']).flat()])
    expect(atWork.published('a')).toEqual(['clearance.failed'])
    expect(findData('clearance.failed')).toEqual({
      errorCode: 'SUBMISSION_REFUSED',
      errorMessage: expect.stringContaining(`HTTP ${status} {"message":"too large"}`),
      clearanceStartedAt: '2026-03-04T05:06:07.000Z',
    })
  })

  it('409 for a document it does not know: given up, with its message', async () => {
    await start()
    atWork.platform.failWith = ({ kind }) =>
      kind === 'submit' ? answerWith(409, { code: 'ALREADY_REPORTED' }) : undefined
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.requestKinds().filter((kind) => kind === 'submit')).toHaveLength(5)
    expect(findData('clearance.failed').errorMessage).toContain(
      'HTTP 409 {"code":"ALREADY_REPORTED"}',
    )
  })

  it('a different document under our id: its decision is not ours', async () => {
    await start()
    const { platform } = atWork
    platform.submissions.set('a', {
      submissionId: 'foreign-1',
      invoiceId: 'a',
      xml: '<Other/>',
      receivedAt: new Date().toISOString(),
      reads: 5,
    })
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.failed'])
    expect(findData('clearance.failed').errorMessage).toContain('submission foreign-1')
  })
})

describe('giving up', () => {
  const startedAtMs = Date.parse('2026-03-04T05:06:07.000Z')
  const giveUpAfterMs = 60_000

  it('is returned at the limit, not before, with what to do', async () => {
    let nowMs = startedAtMs
    await start({ config: { giveUpAfterMs }, now: () => new Date(nowMs) })
    atWork.platform.failWith = () => answerWith(503)
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length >= 1)
    nowMs = startedAtMs + giveUpAfterMs - 1
    await atWork.until(() => atWork.requestKinds().length >= 4)
    expect(atWork.published('a')).toEqual([])
    nowMs += 1
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.failed'])
    expect(findData('clearance.failed')).toMatchObject({ errorCode: 'AUTHORITY_UNREACHABLE' })
    expect(findData('clearance.failed').errorMessage).toMatch(/within 1 min .*HTTP 503.*resubmit/)
  })

  it('of a decision counts from the submission', async () => {
    let nowMs = startedAtMs
    await start({ config: { giveUpAfterMs }, now: () => new Date(nowMs) })
    let answers = false
    atWork.platform.failWith = () => (answers ? undefined : answerWith(503))
    atWork.platform.decide = () => ({ status: 'PROCESSING' })
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length >= 1)
    nowMs = startedAtMs + giveUpAfterMs - 1
    answers = true
    await atWork.until(() => atWork.published('a').length === 1)
    const receivedAtMs = nowMs
    nowMs = receivedAtMs + giveUpAfterMs - 1
    const before = atWork.requestKinds().length
    await atWork.until(() => atWork.requestKinds().length >= before + 3)
    expect(atWork.published('a')).toEqual(['clearance.transmitted'])
    nowMs = receivedAtMs + giveUpAfterMs
    await atWork.ended('a')
    expect(findData('clearance.failed')).toMatchObject({ errorCode: 'NO_VERDICT_IN_TIME' })
  })

  it('tries first what became old during downtime', async () => {
    await start({ now: () => new Date(startedAtMs + 100 * 86_400_000) })
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
  })

  it('when sent again, the platform is queried first: nothing is sent twice', async () => {
    let nowMs = startedAtMs
    await start({ config: { giveUpAfterMs }, now: () => new Date(nowMs) })
    atWork.platform.failWith = () => cutAfter
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length >= 2)
    nowMs += giveUpAfterMs
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.failed'])
    atWork.platform.failWith = () => undefined
    atWork.events.length = 0
    await atWork.bus.publish(signedEvent('a', { clearanceStartedAt: new Date(nowMs).toJSON() }))
    await atWork.ended('a')
    expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
    expect(atWork.platform.submissions.size).toBe(1)
  })
})

describe('one invoice never blocks another', () => {
  const others = Array.from({ length: 30 }, (_, n) => `other-${n}`)

  it('when the platform falls silent for it', async () => {
    await start({ config: { ...shortDeadline, inFlightMax: 2 } })
    atWork.platform.failWith = ({ invoiceId }) =>
      invoiceId === 'stuck' ? silence('before') : undefined
    await atWork.bus.publish(signedEvent('stuck'))
    for (const id of others) await atWork.bus.publish(signedEvent(id))
    await atWork.ended(...others)
    expect(atWork.published('stuck')).toEqual([])
  })

  it('if it is never decided', async () => {
    await start({ config: { inFlightMax: 1 } })
    const { decide } = atWork.platform
    atWork.platform.decide = (submission) =>
      submission.invoiceId === 'stuck' ? { status: 'PROCESSING' } : decide(submission)
    await atWork.bus.publish(signedEvent('stuck'))
    for (const id of others) await atWork.bus.publish(signedEvent(id))
    await atWork.ended(...others)
    expect(atWork.published('stuck')).toEqual(['clearance.transmitted'])
  })
})

describe('common to all invoices', () => {
  const invoiceIds = Array.from({ length: 40 }, (_, n) => `invoice-${n}`)

  it('after 429 the platform gets no request until the pause is over', async () => {
    await start({ config: { inFlightMax: 1 } })
    strikeOnce(atWork.platform, 'submit', answerWith(429, {}, { 'retry-after': '1' }))
    for (const id of invoiceIds) await atWork.bus.publish(signedEvent(id))
    await atWork.ended(...invoiceIds)
    const [first, second] = atWork.platform.requests
    // Node's timers and the clock may differ by a millisecond or two.
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(990)
    expect(atWork.platform.submissions.size).toBe(invoiceIds.length)
  })

  it('the breaker only probes an unavailable platform, and closes when it is back', async () => {
    // No retry comes before it opens.
    const pace = { ...quickPace, retryMinMs: 1_000, retryMaxMs: 1_000 }
    await start({ config: { pace, breaker: { failingInvoicesMax: 5, openMs: 100 } } })
    atWork.platform.failWith = () => answerWith(502)
    for (const id of invoiceIds) await atWork.bus.publish(signedEvent(id))
    // When it opened, four had failed and eight were in flight at most; then one probe each time.
    await atWork.until(() => atWork.requestKinds().length >= 16)
    const probes = atWork.platform.requests.slice(12)
    const gaps = probes.slice(1).map(({ atMs }, index) => atMs - probes[index]!.atMs)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(98)
    atWork.platform.failWith = () => undefined
    await atWork.ended(...invoiceIds)
    expect(atWork.platform.submissions.size).toBe(invoiceIds.length)
  })
})

describe('opening and closing', () => {
  it('reports whether the platform can be reached', async () => {
    await start()
    await expect(atWork.clearance.check()).resolves.toBeUndefined()
    await atWork.platform.close()
    await expect(atWork.clearance.check()).rejects.toThrow('ECONNREFUSED')
  })

  it('finishes the running call, then sends nothing more', async () => {
    await start({ config: shortDeadline })
    atWork.platform.failWith = () => silence('after')
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length === 1)
    let isClosed = false
    const closed = atWork.clearance.close().finally(() => (isClosed = true))
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
    await closed
    await atWork.bus.publish(signedEvent('b'))
    await atWork.bus.close()
    expect(atWork.requestKinds()).toEqual(['submit'])
  })
})
