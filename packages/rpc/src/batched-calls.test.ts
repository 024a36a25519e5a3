import { setTimeout as pause } from 'node:timers/promises'
import { BatchedCalls, type BatchOptions, type SendBatch } from './batched-calls'
import type { Call } from './call'

const options: BatchOptions<string> = {
  what: 'The service',
  itemsMax: 4,
  waitingMax: 100,
  callsAtOnce: 1,
  slowAfterMs: 10_000,
}

function createCall(withinMs = 60_000): Call {
  return {
    caller: { service: 'gateway', actor: 'service:gateway' },
    requestId: 'r',
    deadline: Date.now() + withinMs,
  }
}

/** A service whose calls end when the test says so. */
class Service {
  readonly begun: string[][] = []
  private readonly ends: (() => void)[] = []

  readonly send: SendBatch<string, string> = async (batch, settle) => {
    const items = batch.map(({ item }) => item)
    this.begun.push(items)
    await new Promise<void>((resolve) => this.ends.push(resolve))
    if (items.includes('break')) throw new Error('broken')
    for (const [place, item] of items.entries()) {
      const reason = new Error(item)
      if (item.startsWith('bad')) settle(place, { status: 'rejected', reason })
      else settle(place, { status: 'fulfilled', value: item.toUpperCase() })
    }
  }

  end(): void {
    this.ends.shift()?.()
  }

  calls(overrides: Partial<BatchOptions<string>> = {}): BatchedCalls<string, string> {
    return new BatchedCalls(this.send, { ...options, ...overrides })
  }
}

const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
}

test('what arrives during a call shares the next one', async () => {
  const service = new Service()
  const calls = service.calls()
  const first = calls.add('a', createCall())
  await turns()
  const later = ['b', 'c', 'd'].map((item) => calls.add(item, createCall()))
  await turns()
  expect(service.begun).toEqual([['a']])
  service.end()
  expect(await first).toBe('A')
  await turns()
  expect(service.begun).toEqual([['a'], ['b', 'c', 'd']])
  service.end()
  expect(await Promise.all(later)).toEqual(['B', 'C', 'D'])
})

test('no answer is from a call that began before its request', async () => {
  let now = 0
  const tick = () => (now += 1)
  const calls = new BatchedCalls<string, number>(
    async (batch, settle) => {
      const begunAt = tick()
      await pause(Math.random() * 4)
      for (const place of batch.keys()) settle(place, { status: 'fulfilled', value: begunAt })
    },
    { ...options, keyOf: (item) => item, itemsMax: 3, slowAfterMs: 3, callsAtOnce: 2 },
  )
  let shared = 0
  const answers = new Set<string>()
  const request = async (key: string) => {
    const cameAt = tick()
    const begunAt = await calls.add(key, createCall())
    expect(begunAt).toBeGreaterThan(cameAt)
    const answer = `${key} ${begunAt}`
    if (answers.has(answer)) shared += 1
    answers.add(answer)
  }
  const running: Promise<void>[] = []
  for (let round = 0; round < 4_000; round += 1) {
    running.push(request(`key ${Math.floor(Math.random() * 8)}`))
    const rest = Math.random()
    if (rest < 0.1) await pause(Math.random() * 3)
    else if (rest < 0.3) await new Promise(setImmediate)
  }
  await Promise.all(running)
  expect(shared).toBeGreaterThan(100)
})

test('requests for one item share it until the call begins', async () => {
  const service = new Service()
  const calls = service.calls({ keyOf: (item) => item })
  const answers = ['a', 'a', 'b'].map((item) => calls.add(item, createCall()))
  await turns()
  answers.push(calls.add('a', createCall()))
  service.end()
  await turns()
  service.end()
  expect(await Promise.all(answers)).toEqual(['A', 'A', 'B', 'A'])
  expect(service.begun).toEqual([['a', 'b'], ['a']])
})

test('an error affects its item only; a failed call affects all', async () => {
  const service = new Service()
  const calls = service.calls()
  const outcomes = Promise.allSettled(['a', 'bad'].map((item) => calls.add(item, createCall())))
  await turns()
  service.end()
  expect(await outcomes).toMatchObject([{ value: 'A' }, { reason: { message: 'bad' } }])
  const broken = Promise.allSettled(['a', 'break'].map((item) => calls.add(item, createCall())))
  await turns()
  service.end()
  const reason = { message: 'broken' }
  expect(await broken).toMatchObject([{ reason }, { reason }])
})

test('a full batch is sent at once, and holds no more than the limit', async () => {
  const service = new Service()
  const calls = service.calls()
  const add = (...items: string[]) => items.map((item) => void calls.add(item, createCall()))
  add('first')
  await turns()
  add('a', 'b', 'c')
  await turns()
  expect(service.begun).toHaveLength(1)
  add('d')
  expect(service.begun).toEqual([['first'], ['a', 'b', 'c', 'd']])
  add('e')
  for (let call = 0; call < 3; call += 1) {
    service.end()
    await turns()
  }
  expect(service.begun.slice(2)).toEqual([['e']])
})

test('a request waits no longer than its deadline, and is then not sent', async () => {
  const service = new Service()
  const calls = service.calls()
  const [first, second, third] = [createCall(500), createCall(1_000), createCall()].map(
    (call, at) => calls.add(`item ${at}`, call).catch((error: unknown) => error),
  )
  await turns()
  const late = calls.add('late', createCall(500)).catch((error: unknown) => error)
  const unanswered = { code: 'SERVICE_UNAVAILABLE' }
  expect(await Promise.all([first, second, late])).toMatchObject(Array(3).fill(unanswered))
  const next = calls.add('next', createCall())
  service.end()
  expect(await third).toBe('ITEM 2')
  await turns()
  service.end()
  expect(await next).toBe('NEXT')
  expect(service.begun).toEqual([['item 0', 'item 1', 'item 2'], ['next']])
})

test('a slow call delays no other', async () => {
  const service = new Service()
  const calls = service.calls({ slowAfterMs: 20 })
  const slow = calls.add('slow', createCall())
  await turns()
  const next = calls.add('next', createCall())
  while (service.begun.length < 2) await pause(5)
  expect(service.begun).toEqual([['slow'], ['next']])
  service.end()
  service.end()
  expect(await Promise.all([slow, next])).toEqual(['SLOW', 'NEXT'])
})

test('requests wait up to the limit, and one more is rejected at once', async () => {
  const service = new Service()
  const calls = service.calls({ waitingMax: 3, itemsMax: 10 })
  const first = calls.add('first', createCall())
  await turns()
  const waiting = ['a', 'b', 'c'].map((item) => calls.add(item, createCall()))
  await expect(calls.add('d', createCall())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('nothing was stored') as string,
  })
  service.end()
  await first
  await turns()
  const next = calls.add('e', createCall())
  service.end()
  await turns()
  service.end()
  expect(await Promise.all([...waiting, next])).toEqual(['A', 'B', 'C', 'E'])
})
