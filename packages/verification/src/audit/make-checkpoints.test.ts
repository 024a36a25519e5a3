import type { CheckpointState, CheckpointTurn } from '@einvoicing/runtime/audit-chain'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import {
  createRun,
  makeDueCheckpoints,
  startCheckpoints,
  type CheckpointDeps,
} from './make-checkpoints'

const start = Date.parse('2026-11-23T00:00:05Z')
const dayMs = 86_400_000
const toText = (ms: number) => new Date(ms).toISOString()
const daysBefore = (days: number) => toText(start - days * dayMs)

let nowMs: number
let state: CheckpointState
let written: CheckpointState[]
let turnUntil: string
let stamps: number
let logged: { level: string; msg: string; otherMadeAt?: string }[]
let onStamp: () => Promise<void>
let other: string | undefined

beforeEach(() => {
  ;[nowMs, turnUntil, stamps, logged, written] = [start, '', 0, [], []]
  state = { date: daysBefore(60).slice(0, 10), at: daysBefore(60) }
  onStamp = async () => undefined
  other = undefined
})

/** As a store that processes share, and an authority that needs five seconds. */
const deps = (): CheckpointDeps => ({
  auditLog: 'organizations',
  now: () => new Date(nowMs),
  log: createLog('info', { write: (line) => void logged.push(JSON.parse(line)) }),
  chains: {
    readCheckpointState: async () => state,
    async writeCheckpointState(next) {
      written.push(next)
      if (next.date !== undefined && next.date > (state.date ?? '')) state = next
    },
    listAuditHeads: async () => [
      { organizationId: '00000000-0000-4000-8000-000000000001', seq: 1, hash: 'ab'.repeat(32) },
    ],
    async takeCheckpointTurn({ now, until, held }: CheckpointTurn) {
      if (turnUntil > now && turnUntil !== held) return false
      turnUntil = until
      return true
    },
  },
  archive: {
    async timeStamp() {
      stamps += 1
      nowMs += 5_000
      await onStamp()
      return undefined
    },
    store: async () => other,
  },
})

test('sixty missed days are stamped once, also beside a second process', async () => {
  let second: string[] | undefined
  onStamp = async () => {
    if (second || nowMs < start + 181_000) return
    second = []
    second = await makeDueCheckpoints(deps())
  }
  const made = await makeDueCheckpoints(deps())
  expect(made).toHaveLength(60)
  expect(second).toEqual([])
  expect(stamps).toBe(60)
})

test('a process that lost its turn stops, and what the other stored stays', async () => {
  state = { date: daysBefore(3).slice(0, 10), at: daysBefore(3) }
  let second: string[] | undefined
  onStamp = async () => {
    if (second) return
    nowMs += 200_000
    second = []
    second = await makeDueCheckpoints(deps())
  }
  expect(await makeDueCheckpoints(deps())).toHaveLength(1)
  expect(second).toHaveLength(3)
  expect(stamps).toBe(4)
  expect(state.date).toBe('2026-11-23')
})

describe('when the archive has another one of the day', () => {
  const ageSeconds = async () => {
    const gauge = metrics.getSingleMetric('einvoicing_audit_checkpoint_age_seconds')
    const { values = [] } = (await gauge?.get()) ?? {}
    return values.find(({ labels }) => labels['log'] === 'organizations')?.value
  }
  const errors = () => logged.filter(({ level }) => level === 'error')

  test('made moments ago, it is that of another process', async () => {
    state = { date: daysBefore(1).slice(0, 10), at: daysBefore(1) }
    other = toText(start - 60_000)
    expect(await makeDueCheckpoints(deps())).toEqual(['2026-11-23'])
    expect(errors()).toEqual([])
    expect(state).toEqual({ date: '2026-11-23', at: other })
  })

  test('made long before, it is reported', async () => {
    state = { date: daysBefore(1).slice(0, 10), at: daysBefore(1) }
    other = toText(start - 600_000)
    await makeDueCheckpoints(deps())
    expect(errors()).toMatchObject([{ otherMadeAt: other, date: '2026-11-23' }])
    expect(errors()[0]?.msg).toMatch(/already has another checkpoint of this day.*audit verify/)
  })

  test('while none of them is valid, the age grows until the alert fires', async () => {
    state = { date: daysBefore(2).slice(0, 10), at: daysBefore(2) }
    other = ''
    expect(await makeDueCheckpoints(deps())).toHaveLength(2)
    expect(errors()).toHaveLength(2)
    expect(await ageSeconds()).toBeGreaterThan(1.5 * 86_400)
    expect(await makeDueCheckpoints(deps())).toEqual([])
    expect(await ageSeconds()).toBeGreaterThan(1.5 * 86_400)
    other = undefined
    nowMs += dayMs
    await makeDueCheckpoints(deps())
    expect(await ageSeconds()).toBeLessThan(10)
  })
})

test('buys few stamps while the archive stores nothing, and goes on when it does', async () => {
  state = { date: daysBefore(1).slice(0, 10), at: daysBefore(1) }
  let isUnavailable = true
  const own = deps()
  const store = async () => {
    if (isUnavailable) throw new Error('the archive is unavailable')
    return undefined
  }
  const timeStamp = async () => {
    stamps += 1
    return Buffer.from('a token')
  }
  const run = createRun({ ...own, archive: { timeStamp, store } }, AbortSignal.any([]))
  const runForMinutes = async (minutes: number) => {
    const outcomes = new Set<string>()
    for (let minute = 0; minute < minutes; minute += 1) {
      nowMs += 60_000
      outcomes.add(await run().then(() => 'no failure', String))
    }
    return [...outcomes]
  }
  expect(await runForMinutes(8 * 60)).toContain('Error: the archive is unavailable')
  expect(stamps).toBeLessThan(16)
  isUnavailable = false
  expect(await runForMinutes(61)).toContain('no failure')
  expect(await runForMinutes(60)).toEqual(['no failure'])
  expect(written).toMatchObject([{ date: '2026-11-23' }])
})

test('does not rest where nothing was stamped, or another process has made it meanwhile', async () => {
  state = { date: daysBefore(1).slice(0, 10), at: daysBefore(1) }
  const own = deps()
  const failing = () => Promise.reject(new Error('unavailable'))
  const archive = { timeStamp: failing, store: failing }
  const chains = { ...own.chains, takeCheckpointTurn: async () => true }
  const run = createRun({ ...own, chains, archive }, AbortSignal.any([]))
  for (let attempt = 0; attempt < 20; attempt += 1) await expect(run()).rejects.toThrow()
  archive.timeStamp = async () => Promise.reject(new Error((stamps += 1).toString()))
  await expect(run()).rejects.toThrow('1')
  await expect(run()).rejects.toThrow('2')
  state = { date: toText(start).slice(0, 10), at: toText(start) }
  await run()
})

test('a process that stops waits neither for an authority nor for the missed days', async () => {
  let isStamping: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (isStamping = resolve))
  onStamp = () => {
    isStamping()
    return new Promise(() => undefined)
  }
  const loop = startCheckpoints(deps())
  await begun
  await loop.close()
  expect(stamps).toBe(1)
  expect(written).toEqual([])
  expect(logged).toEqual([])
})
