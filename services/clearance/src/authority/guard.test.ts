import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Answer } from './authority'
import { openGuard, type Guard } from './guard'

const unknown: Answer = { kind: 'unknown' }
const unclear: Answer = { kind: 'unclear', reason: 'HTTP 500', retryAfterMs: undefined }
const refused: Answer = { kind: 'refused', status: 400, raw: '' }
const openMs = 30

let nowMs: number
let calls: number
let guard: Guard
beforeEach(() => {
  nowMs = Date.parse('2026-03-04T05:06:07.000Z')
  calls = 0
  const breaker = { failingInvoicesMax: 3, openMs }
  guard = openGuard({ breaker, nowMs: () => nowMs, log: createLog('silent') })
})

const call = (invoiceId: string, answer: Answer | Promise<Answer>, organizationId = 'ours') =>
  guard.call({ organizationId, invoiceId }, async () => {
    calls += 1
    return answer
  })

const fail = async (...invoiceIds: string[]) => {
  for (const invoiceId of invoiceIds) await call(invoiceId, unclear)
}

const cool = () => {
  nowMs += openMs
}
const held = (organizationId = 'ours') => guard.findHold(organizationId)

const stateShown = async () => {
  const values = await metrics.getMetricsAsJSON()
  const gauge = values.find(({ name }) => name === 'einvoicing_clearance_breaker_state')!
  return (gauge.values as { value: number; labels: { state: string } }[]).find(
    ({ value }) => value === 1,
  )?.labels.state
}

describe('the breaker', () => {
  it('opens when enough different invoices fail, and then sends nothing', async () => {
    await fail('a', 'b')
    expect(held()).toBeUndefined()
    await fail('c')
    expect(held()).toMatchObject({
      kind: 'held',
      reason: 'it answered none of the last calls',
    })
    expect(await call('d', unknown)).toMatchObject({ kind: 'held' })
    expect(calls).toBe(3)
    expect(await stateShown()).toBe('open')
  })

  it('never opens for one broken invoice', async () => {
    for (let n = 0; n < 50; n++) await fail('poisoned', 'another')
    expect(held()).toBeUndefined()
    expect(await call('good', unknown)).toBe(unknown)
  })

  it('resets failures at any answer, also an error', async () => {
    await fail('a', 'b')
    await call('c', refused)
    await fail('d', 'e')
    expect(held()).toBeUndefined()
    await fail('f')
    expect(held()).toBeDefined()
  })

  it('lets one probe through and closes when it is answered', async () => {
    await fail('a', 'b', 'c')
    cool()
    expect(held()).toBeUndefined()
    let answerProbe: (answer: Answer) => void = () => undefined
    const probe = call('d', new Promise<Answer>((resolve) => (answerProbe = resolve)))
    expect(held()).toMatchObject({ kind: 'held', againInMs: 50 })
    expect(await call('e', unknown)).toMatchObject({ kind: 'held' })
    expect(await stateShown()).toBe('half-open')
    answerProbe(unknown)
    expect(await probe).toBe(unknown)
    expect(await call('e', unknown)).toBe(unknown)
    expect(await stateShown()).toBe('closed')
  })

  it('stays open when the probe fails', async () => {
    await fail('a', 'b', 'c')
    cool()
    expect(await call('d', unclear)).toBe(unclear)
    expect(held()).toBeDefined()
    expect(calls).toBe(4)
  })
})

describe('the breaker, of several organizations', () => {
  it('organizations without failures continue, and their first answer closes it', async () => {
    await fail('a', 'b', 'c')
    expect(held()).toBeDefined()
    expect(held('other')).toBeUndefined()
    expect(await call('d', unknown, 'other')).toBe(unknown)
    expect(held()).toBeUndefined()
    expect(await stateShown()).toBe('closed')
  })

  it('opens for an unavailable platform, after one call of each organization', async () => {
    for (const id of ['a', 'b', 'c']) await call(id, unclear, `organization of ${id}`)
    expect(held('organization of a')).toBeDefined()
    expect(await call('d', unclear, 'late')).toBe(unclear)
    expect(await call('e', unknown, 'late')).toMatchObject({ kind: 'held' })
    expect(calls).toBe(4)
  })

  it('an organization that has not failed may make one call at a time', async () => {
    await fail('a', 'b', 'c')
    let answer: (answer: Answer) => void = () => undefined
    const first = call('d', new Promise<Answer>((resolve) => (answer = resolve)), 'other')
    expect(await call('e', unknown, 'other')).toMatchObject({ kind: 'held' })
    answer(unclear)
    await first
    expect(held('other')).toBeDefined()
  })

  it('several failed ones may retry when the time has come', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await call(id, unclear, id)
    cool()
    const probes = ['a', 'b', 'c'].map((id) => call(id, new Promise(() => undefined), id))
    expect(probes).toHaveLength(3)
    expect(held('d')).toMatchObject({ againInMs: 50 })
    expect(calls).toBe(8)
  })
})

describe('the pause', () => {
  const throttled = (retryAfterMs?: number): Answer => ({ kind: 'throttled', retryAfterMs })

  it('of one organization does not affect others, once one of them was answered', async () => {
    await call('a', throttled(7_000))
    expect(held()).toMatchObject({ againInMs: 7_000 })
    let answer: (answer: Answer) => void = () => undefined
    const probe = call('b', new Promise<Answer>((resolve) => (answer = resolve)), 'other')
    expect(held('other')).toMatchObject({ againInMs: 50 })
    expect(held('third')).toMatchObject({ againInMs: 50 })
    answer(unknown)
    await probe
    expect([held('other'), held('third')]).toEqual([undefined, undefined])
    expect(held()).toMatchObject({ againInMs: 7_000 })
  })

  it('of two organizations pauses all, until the longer one is over', async () => {
    await call('a', throttled(7_000))
    await call('b', throttled(1_000), 'other')
    expect(held('third')).toMatchObject({ reason: 'it requested a pause', againInMs: 7_000 })
    nowMs += 7_000
    expect([held(), held('other'), held('third')]).toEqual([undefined, undefined, undefined])
  })

  it('of two organizations in sequence, pauses each alone', async () => {
    await call('a', throttled(1_000))
    nowMs += 1_000
    await call('b', throttled(1_000), 'other')
    expect(held()).toBeUndefined()
  })

  it('pauses every invoice as long as the platform requested, and no longer', async () => {
    await call('a', throttled(7_000))
    nowMs += 6_999
    expect(held()).toMatchObject({ reason: 'it requested a pause', againInMs: 1 })
    expect(await call('b', unknown)).toMatchObject({ kind: 'held' })
    expect(calls).toBe(1)
    nowMs += 1
    expect(held()).toBeUndefined()
    expect(await call('b', unknown)).toBe(unknown)
  })

  it('a later, shorter pause does not shorten it', async () => {
    await Promise.all([call('a', throttled(7_000)), call('b', throttled(1_000))])
    nowMs += 6_999
    expect(held()).toBeDefined()
  })

  it('has a default length', async () => {
    await call('a', throttled())
    nowMs += 4_999
    expect(held()).toBeDefined()
    nowMs += 1
    expect(held()).toBeUndefined()
  })

  it('is also reused after a 503 with Retry-After, not otherwise', async () => {
    await call('a', unclear)
    expect(held()).toBeUndefined()
    await call('a', { kind: 'unclear', reason: 'HTTP 503', retryAfterMs: 7_000 })
    expect(held()).toMatchObject({ againInMs: 7_000 })
  })

  it('a pause of zero stops nothing', async () => {
    await call('a', throttled(0))
    expect(held()).toBeUndefined()
  })

  it('does not open the breaker', async () => {
    for (const invoiceId of ['a', 'b', 'c', 'd']) {
      await call(invoiceId, throttled(1))
      nowMs += 2
    }
    expect(held()).toBeUndefined()
  })
})

it('a clock that is set back prolongs neither a pause nor the open breaker', async () => {
  jest.useFakeTimers()
  try {
    guard = openGuard({
      breaker: { failingInvoicesMax: 1, openMs: 1_000 },
      log: createLog('silent'),
    })
    await call('a', { kind: 'throttled', retryAfterMs: 1_000 }, 'paused')
    await call('b', unclear, 'failed')
    jest.setSystemTime(Date.now() - 3_600_000)
    expect(held('paused')).toBeDefined()
    expect(held('failed')).toBeDefined()
    jest.advanceTimersByTime(1_000)
    expect([held('paused'), held('failed')]).toEqual([undefined, undefined])
  } finally {
    jest.useRealTimers()
  }
})
