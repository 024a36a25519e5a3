/**
 * A platform that forgets its idempotency keys: only `find` before `submit` prevents a second
 * submission.
 */

import { startClearance, type AtWork } from './testdata/clearance-at-work'
import {
  acceptOnSecondRead,
  answerWith,
  cutAfter,
  openScriptedPlatform,
  strikeOnce,
  type ScriptedPlatform,
} from './testdata/scripted-platform'
import { toSha256, signedEvent, makeXml } from './testdata/signed'

let platform: ScriptedPlatform
/** What the store knows as possibly sent: it outlives the processes. */
let sent: Set<string>
const running: AtWork[] = []

beforeEach(async () => {
  platform = await openScriptedPlatform()
  platform.decide = acceptOnSecondRead
  sent = new Set()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.close()))
  await platform.close()
})

async function startProcess(): Promise<AtWork> {
  const process = await startClearance({ platform, sent })
  running.push(process)
  return process
}

const kinds = () => platform.requests.map(({ kind }) => kind)
const submissions = () => kinds().filter((kind) => kind === 'submit').length

it('sends an invoice that was never sent with one request, whichever process publishes it', async () => {
  const process = await startProcess()
  await process.bus.publish(signedEvent('a'))
  await process.ended('a')
  expect(kinds()).toEqual(['submit', 'read', 'read'])
})

it('a new process queries the platform before it sends what an earlier one may have sent', async () => {
  const first = await startProcess()
  platform.failWith = () => cutAfter
  await first.bus.publish(signedEvent('a'))
  await first.until(() => submissions() === 1)
  await first.close()
  platform.failWith = () => undefined
  platform.requests.length = 0

  const second = await startProcess()
  await second.bus.publish(signedEvent('a'))
  await second.ended('a')
  expect(kinds()[0]).toBe('find')
  expect(submissions()).toBe(0)
  expect(second.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
})

it('a new process sends what never arrived, after the platform answered that it is unknown', async () => {
  const first = await startProcess()
  platform.failWith = () => answerWith(503)
  await first.bus.publish(signedEvent('a'))
  await first.until(() => submissions() === 1)
  await first.close()
  platform.failWith = () => undefined
  platform.requests.length = 0

  const second = await startProcess()
  await second.bus.publish(signedEvent('a'))
  await second.ended('a')
  expect(kinds().slice(0, 2)).toEqual(['find', 'submit'])
  expect(submissions()).toBe(1)
})

it('a new attempt after FAILED queries the platform first, in the same process and in a new one', async () => {
  const first = await startProcess()
  strikeOnce(platform, 'submit', cutAfter)
  platform.decide = () => ({ status: 'PROCESSING' })
  await first.bus.publish(signedEvent('a'))
  await first.until(() => first.published('a').includes('clearance.transmitted'))
  await first.close()
  platform.requests.length = 0
  platform.decide = acceptOnSecondRead

  const second = await startProcess()
  const again = { clearanceStartedAt: '2026-03-06T00:00:00.000Z' }
  await second.bus.publish(signedEvent('a', again))
  await second.ended('a')
  expect(kinds()[0]).toBe('find')
  expect(submissions()).toBe(0)
})

it('two processes with the same invoice: one sends it, the other queries', async () => {
  const both = [await startProcess(), await startProcess()]
  await Promise.all(both.map(({ bus }) => bus.publish(signedEvent('a'))))
  await Promise.all(both.map(({ ended }) => ended('a')))
  const first = kinds().slice(0, 2)
  expect(first.filter((kind) => kind === 'submit')).toHaveLength(1)
  expect(first).toContain('find')
})

it('an answer of an invoices service without the mark counts as possibly sent', async () => {
  const process = await startClearance({
    platform,
    invoices: {
      // As an older process of invoices answers.
      readSignedXml: async ({ invoiceId }) =>
        ({ xml: makeXml(invoiceId), sha256: toSha256(makeXml(invoiceId)) }) as never,
    },
  })
  running.push(process)
  await process.bus.publish(signedEvent('a'))
  await process.ended('a')
  expect(kinds().slice(0, 2)).toEqual(['find', 'submit'])
})
