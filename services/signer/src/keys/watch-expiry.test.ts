import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { KeyUnavailable, type SigningKey } from './signing-key'
import { openSoftwareKey } from './software'
import { watchExpiry } from './watch-expiry'

const start = new Date('2026-11-21T10:00:00Z')
const dayMs = 86_400_000
const lifeDays = 5 * 365

let key: SigningKey
let lines: { level: string; daysLeft: number; validTo: string; msg: string }[]
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'signer-'))
  const config = { kind: 'software', directory, algorithm: 'ecp256' } as const
  key = (await openSoftwareKey(config, { now: () => start, log: createLog('silent') })).key
})
beforeEach(() => {
  lines = []
  jest.useFakeTimers()
})
afterEach(() => jest.useRealTimers())

const at = (days: number) => new Date(start.getTime() + days * dayMs)

it('reports the expiry as a metric', async () => {
  watchExpiry(key, { now: () => start, log }).close()
  const reported = await metrics.getSingleMetricAsString(
    'einvoicing_signing_certificate_expires_timestamp_seconds',
  )
  expect(reported).toContain(`_seconds ${at(lifeDays).getTime() / 1_000}`)
})

it('is silent until sixty days are left, then warns once a day', () => {
  let now = at(lifeDays - 60)
  const watch = watchExpiry(key, { now: () => now, log })
  expect(lines).toEqual([])
  for (let days = lifeDays - 60 + 0.01; days < lifeDays - 57; days += 0.25) {
    now = at(days)
    jest.advanceTimersByTime(60_000)
  }
  watch.close()
  expect(lines.map(({ level, daysLeft }) => [level, daysLeft])).toEqual([
    ['warn', 59],
    ['warn', 58],
    ['warn', 57],
  ])
  expect(lines[0]!.msg).toBe('the signing certificate expires soon: restart the signer to renew it')
  expect(lines[0]!.validTo).toBe(at(lifeDays).toISOString())
})

it('says when it has ended, and waits for a key that is unavailable', () => {
  watchExpiry(key, { now: () => at(lifeDays), log }).close()
  expect(lines[0]!.msg).toMatch(/^the signing certificate has expired: /)
  let away = true
  const token: SigningKey = {
    ...key,
    identity() {
      if (away) throw new KeyUnavailable('away')
      return key.identity()
    },
  }
  lines = []
  const watch = watchExpiry(token, { now: () => at(lifeDays - 1), log })
  expect(lines).toEqual([])
  away = false
  jest.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(1)
  watch.close()
})
