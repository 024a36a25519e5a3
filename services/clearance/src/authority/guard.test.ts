import { createLog } from '@einvoicing/kernel/log'
import { metrics } from '@einvoicing/kernel/metrics'
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
  guard = openGuard({ breaker, now: () => new Date(nowMs), log: createLog('silent') })
})

const call = (invoiceId: string, answer: Answer | Promise<Answer>) =>
  guard.call(invoiceId, async () => {
    calls += 1
    return answer
  })

const fail = async (...invoiceIds: string[]) => {
  for (const invoiceId of invoiceIds) await call(invoiceId, unclear)
}

const cooled = () => new Promise((resolve) => setTimeout(resolve, openMs + 10))

const stateShown = async () => {
  const values = await metrics.getMetricsAsJSON()
  const gauge = values.find(({ name }) => name === 'einvoicing_clearance_breaker_state')!
  return (gauge.values as { value: number; labels: { state: string } }[]).find(
    ({ value }) => value === 1,
  )?.labels.state
}

describe('the breaker', () => {
  it('opens when enough different invoices fail, and then touches nothing', async () => {
    await fail('a', 'b')
    expect(guard.held()).toBeUndefined()
    await fail('c')
    expect(guard.held()).toMatchObject({
      kind: 'held',
      reason: 'it answered none of the last calls',
    })
    expect(await call('d', unknown)).toMatchObject({ kind: 'held' })
    expect(calls).toBe(3)
    expect(await stateShown()).toBe('open')
  })

  it('never opens for one poisoned invoice', async () => {
    for (let n = 0; n < 50; n++) await fail('poisoned', 'another')
    expect(guard.held()).toBeUndefined()
    expect(await call('good', unknown)).toBe(unknown)
  })

  it('forgets failures at any answer, a refusal included', async () => {
    await fail('a', 'b')
    await call('c', refused)
    await fail('d', 'e')
    expect(guard.held()).toBeUndefined()
    await fail('f')
    expect(guard.held()).toBeDefined()
  })

  it('lets one probe through and closes when it is answered', async () => {
    await fail('a', 'b', 'c')
    await cooled()
    expect(guard.held()).toBeUndefined()
    let answerProbe: (answer: Answer) => void = () => undefined
    const probe = call('d', new Promise<Answer>((resolve) => (answerProbe = resolve)))
    expect(guard.held()).toMatchObject({ kind: 'held', againInMs: 0 })
    expect(await call('e', unknown)).toMatchObject({ kind: 'held' })
    expect(await stateShown()).toBe('half-open')
    answerProbe(unknown)
    expect(await probe).toBe(unknown)
    expect(await call('e', unknown)).toBe(unknown)
    expect(await stateShown()).toBe('closed')
  })

  it('stays open when the probe fails', async () => {
    await fail('a', 'b', 'c')
    await cooled()
    expect(await call('d', unclear)).toBe(unclear)
    expect(guard.held()).toBeDefined()
    expect(calls).toBe(4)
  })
})

describe('the pause', () => {
  const throttled = (retryAfterMs?: number): Answer => ({ kind: 'throttled', retryAfterMs })

  it('holds every invoice for as long as the platform asked, and not longer', async () => {
    await call('a', throttled(7_000))
    nowMs += 6_999
    expect(guard.held()).toMatchObject({ reason: 'it asked for a pause', againInMs: 1 })
    expect(await call('b', unknown)).toMatchObject({ kind: 'held' })
    expect(calls).toBe(1)
    nowMs += 1
    expect(guard.held()).toBeUndefined()
    expect(await call('b', unknown)).toBe(unknown)
  })

  it('is not shortened by a later, shorter one', async () => {
    await Promise.all([call('a', throttled(7_000)), call('b', throttled(1_000))])
    nowMs += 6_999
    expect(guard.held()).toBeDefined()
  })

  it('has a length of its own when none was given', async () => {
    await call('a', throttled())
    nowMs += 4_999
    expect(guard.held()).toBeDefined()
    nowMs += 1
    expect(guard.held()).toBeUndefined()
  })

  it('is also kept after a 503 that asks for one, not after one that does not', async () => {
    await call('a', unclear)
    expect(guard.held()).toBeUndefined()
    await call('a', { kind: 'unclear', reason: 'HTTP 503', retryAfterMs: 7_000 })
    expect(guard.held()).toMatchObject({ againInMs: 7_000 })
  })

  it('of no length holds nobody', async () => {
    await call('a', throttled(0))
    expect(guard.held()).toBeUndefined()
  })

  it('does not open the breaker', async () => {
    for (const invoiceId of ['a', 'b', 'c', 'd']) {
      await call(invoiceId, throttled(1))
      nowMs += 2
    }
    expect(guard.held()).toBeUndefined()
  })
})
