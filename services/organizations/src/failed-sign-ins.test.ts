import { createLog } from '@einvoicing/runtime/log'
import { FailedSignIns } from './failed-sign-ins'

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }))
afterEach(() => void jest.useRealTimers())

it('are closed once what is being written is stored', async () => {
  const stored: (() => void)[] = []
  const addAudit = () => new Promise<void>((resolve) => stored.push(resolve))
  const clock = { now: () => new Date(), log: createLog('silent') }
  const failed = new FailedSignIns({ addAudit }, clock)
  const user = { id: 'u', organizationId: 'o', email: 'a@example.com' }
  failed.note(user, '192.0.2.1')
  jest.advanceTimersByTime(1_000)
  expect(stored).toHaveLength(1)
  let isClosed = false
  const closed = failed.close().then(() => (isClosed = true))
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  stored[0]?.()
  await closed
})
