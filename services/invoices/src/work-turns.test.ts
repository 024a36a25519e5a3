import { createLog } from '@einvoicing/runtime/log'
import { RequestsFirst } from './requests-first'
import type { QueuedWork } from './store/store'
import { startTurns } from './work-turns'

const timers = ['setImmediate', 'nextTick', 'performance', 'queueMicrotask'] as const

beforeEach(() => void jest.useFakeTimers({ doNotFake: [...timers] }))
afterEach(() => void jest.useRealTimers())

const aWork = (index: number): QueuedWork => ({
  position: String(index),
  organizationId: `o-${index}`,
  invoiceId: `i-${index}`,
  part: 'signed-xml',
  attempts: 0,
})

it.each([1, 20])('%i attempts that do not end hold up a stop for eight seconds', async (count) => {
  const works = Array.from({ length: count }, (_, index) => aWork(index))
  const takeWork = async (due: { count: number }) => works.splice(0, due.count)
  const store = { takeWork } as never
  const log = createLog('silent')
  const deps = { store, now: () => new Date(), requests: new RequestsFirst(), log }
  let begun = 0
  const attempt = () => {
    begun += 1
    return new Promise<void>(() => undefined)
  }
  const times = { longestPauseMs: 0, leaseMs: 0, stopMessage: 'stopped' }
  const loop = startTurns(deps, { name: 'test', queue: 'archive', ...times }, () => attempt)
  await jest.advanceTimersByTimeAsync(1_000)
  expect(begun).toBeGreaterThan(0)
  let isClosed = false
  const closed = loop.close().then(() => (isClosed = true))
  await jest.advanceTimersByTimeAsync(7_900)
  expect(isClosed).toBe(false)
  await jest.advanceTimersByTimeAsync(200)
  await closed
})
