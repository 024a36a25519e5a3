import { shortDeadline, startClearance, type AtWork } from './testdata/clearance-at-work'
import {
  answerWith,
  cutAfter,
  cutBefore,
  html,
  strikeOnce,
  type Failure,
  type PlatformRequest,
} from './testdata/scripted-platform'
import { signedEvent } from './testdata/signed'

let atWork: AtWork
const start = async (problem: Failure) => {
  atWork = await startClearance({ config: problem.answer === 'silence' ? shortDeadline : {} })
}
afterEach(() => atWork.close())

const silence = (strikes: Failure['strikes']): Failure => ({ strikes, answer: 'silence' })
const htmlPage = (strikes: Failure['strikes'], status = 200): Failure => ({
  strikes,
  answer: { ...html, status },
})
const after = ({ answer }: Failure): Failure => ({ strikes: 'after', answer })

type Row = [string, Failure, ...PlatformRequest['kind'][]]

const firstSubmission: Row[] = [
  ['cut before', cutBefore, 'submit', 'find', 'submit', 'read', 'read'],
  ['answer lost after', cutAfter, 'submit', 'find', 'read'],
  ['silent before', silence('before'), 'submit', 'find', 'submit', 'read', 'read'],
  ['silent after', silence('after'), 'submit', 'find', 'read'],
  ['HTML before', htmlPage('before'), 'submit', 'find', 'submit', 'read', 'read'],
  ['HTML after', htmlPage('after'), 'submit', 'find', 'read'],
  ['500', answerWith(500), 'submit', 'find', 'submit', 'read', 'read'],
  ['504 after', after(answerWith(504)), 'submit', 'find', 'read'],
  ['429', answerWith(429, {}, { 'retry-after': '0' }), 'submit', 'find', 'submit', 'read', 'read'],
  ['401', answerWith(401), 'submit', 'find', 'submit', 'read', 'read'],
  ['404', answerWith(404), 'submit', 'find', 'submit', 'read', 'read'],
  ['413', answerWith(413), 'submit', 'find', 'submit', 'read', 'read'],
  ['409, ours', after(answerWith(409)), 'submit', 'find', 'read'],
  ['422, ours', after(answerWith(422)), 'submit', 'find', 'read'],
  ['409, not ours', answerWith(409), 'submit', 'find', 'find', 'submit', 'read', 'read'],
]
it.each(firstSubmission)('first submission: %s', async (_, problem, ...expected) => {
  await start(problem)
  strikeOnce(atWork.platform, 'submit', problem)
  await atWork.bus.publish(signedEvent('a'))
  await atWork.ended('a')
  expect(atWork.requestKinds()).toEqual(expected)
  expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
})

const question: [string, Failure][] = [
  ['cut', cutBefore],
  ['silent', silence('before')],
  ['HTML', htmlPage('before')],
  ['a proxy’s 404', htmlPage('before', 404)],
  ['503', answerWith(503)],
  ['401', answerWith(401)],
  ['400', answerWith(400)],
  ['409', answerWith(409)],
  ['429', answerWith(429, {}, { 'retry-after': '0' })],
]
it.each(question)(
  'queried before it is sent, %s: queried again, and sent only then',
  async (_, problem) => {
    await start(problem)
    strikeOnce(atWork.platform, 'find', problem)
    await atWork.bus.publish(signedEvent('a', { transmitted: true }))
    await atWork.ended('a')
    expect(atWork.requestKinds()).toEqual(['find', 'find', 'submit', 'read', 'read'])
  },
)

it.each(question)('queried for the decision, %s: retried', async (_, problem) => {
  await start(problem)
  strikeOnce(atWork.platform, 'read', problem)
  await atWork.bus.publish(signedEvent('a'))
  await atWork.ended('a')
  expect(atWork.requestKinds()).toEqual(['submit', 'read', 'read', 'read'])
})

it('queried for the decision, unknown: queried by our id, then sent again', async () => {
  const gone = answerWith(404)
  await start(gone)
  strikeOnce(atWork.platform, 'read', gone)
  const { platform } = atWork
  const strike = platform.failWith
  platform.failWith = (request) => {
    const problem = strike(request)
    if (problem) platform.submissions.clear()
    return problem
  }
  await atWork.bus.publish(signedEvent('a'))
  await atWork.ended('a')
  // The second delivery queries again: a platform may only be late to show what it received.
  expect(atWork.requestKinds()).toEqual([
    ...['submit', 'read', 'find'],
    ...['find', 'submit', 'read', 'read'],
  ])
  expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
})

it('a platform that forgets every submission: failed at the limit, counted from the first', async () => {
  const startedAtMs = Date.parse('2026-03-04T05:06:07.000Z')
  let nowMs = startedAtMs
  atWork = await startClearance({
    config: { giveUpAfterMs: 60_000 },
    now: () => new Date(nowMs),
  })
  atWork.platform.failWith = ({ kind }) => (kind === 'submit' ? undefined : answerWith(404))
  const submissions = () => atWork.requestKinds().filter((kind) => kind === 'submit').length
  await atWork.bus.publish(signedEvent('a'))
  await atWork.until(() => submissions() === 2)
  nowMs = startedAtMs + 30_000
  const before = submissions()
  await atWork.until(() => submissions() === before + 2)
  nowMs = startedAtMs + 60_000
  await atWork.ended('a')
  expect(atWork.requestKinds().slice(0, 5)).toEqual(['submit', 'read', 'find', 'find', 'submit'])
  expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.failed'])
  expect(atWork.events.at(-1)?.data).toMatchObject({ errorCode: 'NO_VERDICT_IN_TIME' })
})
