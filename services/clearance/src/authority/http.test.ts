import { systemClock } from '@einvoicing/runtime/clock'
import {
  answerWith,
  cutAfter,
  cutBefore,
  html,
  openScriptedPlatform,
  type Failure,
  type ScriptedPlatform,
} from '../testdata/scripted-platform'
import type { Authority } from './authority'
import { authorityContract } from './authority.contract'
import { openHttpAuthority } from './http'

const patientMs = 30_000
const answerBytesMax = 64 * 1024

let platform: ScriptedPlatform
beforeEach(async () => {
  platform = await openScriptedPlatform()
})
afterEach(() => platform.close())

const openFor = (url: string, requestDeadlineMs = patientMs): Authority =>
  openHttpAuthority({
    url,
    requestDeadlineMs,
    reachDeadlineMs: patientMs,
    connectionsMax: 8,
    now: systemClock,
  })

describe('http, the platform’s protocol', () => {
  authorityContract(async () => openFor(platform.url))
})

describe('http', () => {
  let authority: Authority
  beforeEach(() => {
    authority = openFor(platform.url)
  })
  afterEach(() => authority.close())

  const xml = Buffer.from('<Invoice>é</Invoice>')
  const calls: [string, (authority: Authority) => ReturnType<Authority['find']>][] = [
    ['submit', (to) => to.submit('invoice-1', xml)],
    ['find', (to) => to.find('invoice-1')],
    ['read', (to) => to.read('submission-1')],
  ]

  it('sends the bytes as they were signed', async () => {
    await authority.submit('invoice-1', xml)
    expect(platform.submissions.get('invoice-1')?.xml).toBe('<Invoice>é</Invoice>')
  })

  it('keeps a path before /v1, and escapes what it is given', async () => {
    const elsewhere = openFor(`${platform.url}/clearance/`)
    await elsewhere.submit('a', xml)
    await elsewhere.find('a&b=c/d')
    await elsewhere.read('s/1')
    expect(platform.requests.map(({ path }) => path)).toEqual([
      '/clearance/v1/submissions',
      '/clearance/v1/submissions?idempotencyKey=a%26b%3Dc%2Fd',
      '/clearance/v1/submissions/s%2F1',
    ])
    await elsewhere.close()
  })

  describe.each(calls)('%s', (_, call) => {
    const problems: [string, Failure, RegExp][] = [
      ['a connection cut before', cutBefore, /UND_ERR_SOCKET|ECONNRESET/],
      ['a connection cut after', cutAfter, /UND_ERR_SOCKET|ECONNRESET/],
      ['HTML', { strikes: 'before', answer: html }, /not the protocol/],
      [
        'a giant answer',
        { strikes: 'before', answer: { status: 200, body: ' '.repeat(answerBytesMax + 1) } },
        /UND_ERR_RES_EXCEEDED_MAX_SIZE/,
      ],
      ['a redirect', answerWith(302, {}, { location: 'http://127.0.0.1:1/elsewhere' }), /HTTP 302/],
      ['a failure', answerWith(503), /HTTP 503/],
    ]
    it.each(problems)(
      'finds %s unclear, and does not repeat itself',
      async (_name, problem, reason) => {
        platform.failWith = () => problem
        const answer = await call(authority)
        expect(answer).toMatchObject({ kind: 'unclear', reason: expect.stringMatching(reason) })
        expect(platform.requests).toHaveLength(1)
      },
    )

    const halfAnAnswer = { status: 200, body: '{"sub', headers: { 'content-length': '500' } }
    const silences: [string, Failure, RegExp][] = [
      ['silence', { strikes: 'before', answer: 'silence' }, /no answer within 1 s/],
      ['an answer that never ends', { strikes: 'before', answer: 'drip' }, /no answer within 1 s/],
      [
        'half an answer',
        { strikes: 'before', answer: halfAnAnswer },
        /no answer within 1 s|UND_ERR/,
      ],
    ]
    it.each(silences)(
      'finds %s unclear in time, and does not repeat itself',
      async (_name, problem, reason) => {
        const hasty = openFor(platform.url, 1_000)
        platform.failWith = ({ kind }) => (kind === 'totals' ? undefined : problem)
        const received = () => platform.requests.filter(({ kind }) => kind !== 'totals')
        // A pause of this process may use up the second before the request is sent.
        while (received().length === 0) {
          const answer = await call(hasty)
          expect(answer).toMatchObject({ kind: 'unclear', reason: expect.stringMatching(reason) })
          // What was sent before has been received then.
          await authority.reach()
        }
        expect(received()).toHaveLength(1)
        await hasty.close()
      },
    )

    it('an unreachable platform is unclear', async () => {
      await platform.close()
      expect(await call(authority)).toMatchObject({
        kind: 'unclear',
        reason: expect.stringContaining('ECONNREFUSED'),
        publicReason: 'connection failed',
      })
    })
  })

  it('accepts an answer of exactly the maximum size', async () => {
    const body = JSON.stringify({ code: 'UNKNOWN' }).padEnd(answerBytesMax)
    platform.failWith = () => ({ strikes: 'before', answer: { status: 404, body } })
    expect(await authority.find('a')).toEqual({ kind: 'unknown' })
  })

  it('obeys Retry-After as a date, against the clock given', async () => {
    const now = () => new Date('2026-03-04T05:06:07.000Z')
    const dated = openHttpAuthority({
      url: platform.url,
      requestDeadlineMs: patientMs,
      connectionsMax: 1,
      now,
    })
    platform.failWith = () =>
      answerWith(429, {}, { 'retry-after': 'Wed, 04 Mar 2026 05:06:37 GMT' })
    expect(await dated.find('a')).toEqual({ kind: 'throttled', retryAfterMs: 30_000 })
    await dated.close()
  })

  it('no unanswered call blocks the others, within its connections', async () => {
    platform.failWith = ({ invoiceId }) =>
      invoiceId === 'stuck' ? { strikes: 'before', answer: 'silence' } : undefined
    const stuck = Array.from({ length: 7 }, () => authority.find('stuck'))
    expect(await authority.find('other')).toEqual({ kind: 'unknown' })
    await platform.close()
    for (const answer of await Promise.all(stuck)) expect(answer.kind).toBe('unclear')
  })

  it('reports when the platform cannot be reached', async () => {
    platform.failWith = () => answerWith(502)
    await expect(authority.reach()).rejects.toThrow('HTTP 502')
    await platform.close()
    const later = openFor(platform.url)
    await expect(later.reach()).rejects.toThrow('ECONNREFUSED')
    await later.close()
  })
})
