import { metrics } from '@einvoicing/kernel/metrics'
import { watchOldestUndecided } from './metrics'

const now = () => new Date('2026-05-03T10:00:30Z')

async function told(oldestUndecided: () => Promise<string | undefined>): Promise<string> {
  const unwatch = watchOldestUndecided({ store: { oldestUndecided }, now })
  const text = await metrics.metrics()
  unwatch()
  return /^einvoicing_undecided_oldest_age_seconds (.+)$/m.exec(text)?.[1] ?? 'nothing'
}

test('the age of the oldest undecided invoice is in seconds, and 0 without any', async () => {
  expect(await told(async () => '2026-05-03T10:00:00Z')).toBe('30')
  expect(await told(async () => undefined)).toBe('0')
})

test('a store that cannot tell leaves the other figures readable', async () => {
  expect(await told(() => Promise.reject(new Error('the disk is gone')))).toBe('Nan')
})
