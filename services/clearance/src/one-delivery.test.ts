import { defaultPace } from './pace'
import { startClearance, type AtWork, type AtWorkOptions } from './testdata/clearance-at-work'
import { signedEvent } from './testdata/signed'

let atWork: AtWork
const start = async (options?: AtWorkOptions) => (atWork = await startClearance(options))
afterEach(() => atWork.close())

const slowPolls = {
  ...defaultPace,
  pollMinMs: 80,
  pollMaxMs: 80,
  retryMinMs: 80,
  retryMaxMs: 80,
  heldSpreadMs: 5,
}

it('one delivery handles an invoice, however often it is published in the meantime', async () => {
  await start({ config: { pace: slowPolls } })
  const count = 30
  for (let n = 0; n < count; n++) {
    await atWork.bus.publish({ ...signedEvent('a'), id: `again-${n}` })
  }
  await atWork.ended('a')
  expect(atWork.requestKinds()).toEqual(['submit', 'read', 'read'])
})

it('a newer attempt takes over', async () => {
  await start()
  atWork.platform.decide = () => ({ status: 'PROCESSING' })
  await atWork.bus.publish(signedEvent('a'))
  await atWork.until(() => atWork.requestKinds().includes('read'))
  await atWork.bus.publish(signedEvent('a', { clearanceStartedAt: '2026-03-05T00:00:00.000Z' }))
  await atWork.until(() => atWork.published('a').length === 2)
  // The attempt before is delivered once more, and dropped; after a decision it would ask.
  await atWork.until(() => atWork.requestKinds().length > 30)
  atWork.platform.decide = () => ({ status: 'ACCEPTED', decidedAt: '2026-03-05T00:00:01.000Z' })
  await atWork.ended('a')
  expect(atWork.published('a')).toEqual([
    'clearance.transmitted',
    'clearance.transmitted',
    'clearance.accepted',
  ])
  expect(atWork.events.at(-1)?.id).toContain('2026-03-05')
  expect(atWork.platform.submissions.size).toBe(1)
})
