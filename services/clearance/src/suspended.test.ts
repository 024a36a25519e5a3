/** A process that stood still for days, or a clock that was set forward: no platform failed. */

import {
  quickPace,
  startClearance,
  type AtWork,
  type AtWorkOptions,
} from './testdata/clearance-at-work'
import { answerWith, strikeOnce } from './testdata/scripted-platform'
import { signedEvent } from './testdata/signed'

const weekendMs = 3 * 86_400_000

let atWork: AtWork
let nowMs: number

async function start(config: AtWorkOptions['config'] = {}): Promise<void> {
  nowMs = Date.parse('2026-03-04T05:06:07.000Z')
  atWork = await startClearance({ config, now: () => new Date(nowMs) })
}
afterEach(() => atWork.close())

async function suspend(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  nowMs += weekendMs
}

const slowPace = { ...quickPace, pollMinMs: 200, pollMaxMs: 200, retryMinMs: 200, retryMaxMs: 200 }

const decided = ['clearance.transmitted', 'clearance.accepted']

it('the first call after it may fail', async () => {
  await start({ pace: slowPace })
  const { platform } = atWork
  await atWork.bus.publish(signedEvent('a'))
  await atWork.until(() => atWork.published('a').length === 1)
  platform.failWith = () => answerWith(503)
  await suspend()
  const before = atWork.requestKinds().length
  await atWork.until(() => atWork.requestKinds().length >= before + 2)
  platform.failWith = () => undefined
  await atWork.ended('a')
  expect(atWork.published('a')).toEqual(decided)
})

it('a call that was under way may fail', async () => {
  await start()
  const { platform } = atWork
  let release = (): void => undefined
  platform.hold = new Promise((resolve) => (release = resolve))
  strikeOnce(platform, 'submit', answerWith(503))
  await atWork.bus.publish(signedEvent('a'))
  await atWork.until(() => atWork.requestKinds().length === 1)
  nowMs += weekendMs
  platform.hold = undefined
  release()
  await atWork.ended('a')
  expect(atWork.published('a')).toEqual(decided)
})

it('an open breaker does not fail what was not queried since', async () => {
  await start({ pace: slowPace, breaker: { failingInvoicesMax: 1, openMs: 600 } })
  strikeOnce(atWork.platform, 'submit', answerWith(503))
  await atWork.bus.publish(signedEvent('a'))
  await atWork.until(() => atWork.requestKinds().length === 1)
  await suspend()
  await atWork.ended('a')
  expect(atWork.published('a')).toEqual(decided)
})

it('the platform has a minute, not another day', async () => {
  await start()
  atWork.platform.failWith = () => answerWith(503)
  await atWork.bus.publish(signedEvent('a'))
  await atWork.until(() => atWork.requestKinds().length >= 1)
  nowMs += weekendMs
  const before = atWork.requestKinds().length
  await atWork.until(() => atWork.requestKinds().length >= before + 3)
  expect(atWork.published('a')).toEqual([])
  nowMs += 60_000
  await atWork.ended('a')
  expect(atWork.published('a')).toEqual(['clearance.failed'])
})
