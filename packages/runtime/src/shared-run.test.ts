import { setTimeout as delay } from 'node:timers/promises'
import { SharedRun } from './shared-run'

it('runs one at a time, and once more for all that came during a run', async () => {
  const shared = new SharedRun()
  const ends: (() => void)[] = []
  const run = jest.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = shared.request(run)
  await delay(0)
  const others = [shared.request(run), shared.request(run)]
  await delay(0)
  expect(run).toHaveBeenCalledTimes(1)
  ends[0]!()
  await first
  await delay(0)
  expect(run).toHaveBeenCalledTimes(2)
  const settled = jest.fn()
  const waiting = shared.settled().then(settled)
  await delay(0)
  expect(settled).not.toHaveBeenCalled()
  ends[1]!()
  await Promise.all([...others, waiting])
  expect(run).toHaveBeenCalledTimes(2)
})

it('rejects those that waited for the run that failed, and runs again', async () => {
  const shared = new SharedRun()
  const failed = shared.request(() => Promise.reject(new Error('the store failed')))
  await expect(failed).rejects.toThrow('the store failed')
  await expect(shared.settled()).rejects.toThrow('the store failed')
  await shared.request(() => Promise.resolve())
  await shared.settled()
})
