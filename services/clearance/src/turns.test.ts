import { Turns, type EndTurn, type Kind } from './turns'

const newTurns = (slots: number, waitingMax = 100, awaitedMax = 1_000) =>
  new Turns({ slots, waitingMax, awaitedMax })

/** Holds each turn until `end`. */
function atWork(turns: Turns) {
  const begun: string[] = []
  const ends: EndTurn[] = []
  const take = (organizationId: string, kind: Kind = 'poll') => {
    const turn = turns.take(organizationId, kind)
    if ('againInMs' in turn) return turn.againInMs
    void turn.begun.then((end) => {
      begun.push(organizationId)
      ends.push(end)
    })
    return undefined
  }
  const settled = () => new Promise(setImmediate)
  return {
    begun,
    take,
    settled,
    async endOne() {
      ends.shift()?.()
      await settled()
    },
  }
}

afterEach(() => jest.useRealTimers())

const times = (count: number, act: () => unknown) => {
  for (let n = 0; n < count; n += 1) act()
}

it('leaves slots for a new organization', async () => {
  const work = atWork(newTurns(8))
  times(50, () => work.take('greedy'))
  await work.settled()
  expect(work.begun).toHaveLength(6)
  times(2, () => work.take('other'))
  await work.settled()
  expect(work.begun.slice(6)).toEqual(['other', 'other'])
})

it('organizations take turns, not invoices', async () => {
  const work = atWork(newTurns(1, 1_000))
  times(300, () => work.take('greedy'))
  times(3, () => work.take('b'))
  times(3, () => work.take('c'))
  await work.settled()
  for (let n = 0; n < 12; n += 1) await work.endOne()
  const last = Math.max(work.begun.lastIndexOf('b'), work.begun.lastIndexOf('c'))
  expect(work.begun.filter((id) => id === 'b')).toHaveLength(3)
  expect(work.begun.filter((id) => id === 'c')).toHaveLength(3)
  expect(last).toBeLessThan(12)
})

it('limits retries to a quarter of the slots', async () => {
  const work = atWork(newTurns(8))
  for (const id of ['a', 'b', 'c', 'd']) times(5, () => work.take(id, 'retry'))
  await work.settled()
  expect(work.begun).toHaveLength(2)
  times(5, () => work.take('e'))
  await work.settled()
  expect(work.begun.filter((id) => id === 'e')).toHaveLength(2)
})

it('neither kind of work of an organization starves the other', async () => {
  const turns = newTurns(1)
  const work = atWork(turns)
  const kinds: Kind[] = []
  const ends: EndTurn[] = []
  for (const kind of ['poll', 'retry'] as const) {
    times(10, () => {
      const turn = turns.take('a', kind)
      if ('begun' in turn) {
        void turn.begun.then((end) => {
          kinds.push(kind)
          ends.push(end)
        })
      }
    })
  }
  await work.settled()
  for (let n = 0; n < 5; n += 1) {
    ends.shift()?.()
    await work.settled()
  }
  expect(kinds).toEqual(['poll', 'retry', 'poll', 'retry', 'poll', 'retry'])
})

it('returns an organization’s surplus invoices later, spread over time', async () => {
  jest.useFakeTimers()
  const work = atWork(newTurns(1))
  times(76, () => expect(work.take('greedy')).toBeUndefined())
  expect(work.take('greedy')).toBe(1_000)
  expect(work.take('greedy')).toBe(1_001)
  expect(work.take('other')).toBeUndefined()
})

it('returns them four times as fast as they are sent, 125 a second at least', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const work = atWork(newTurns(1, 400))
  while (work.take('greedy', 'send') === undefined);
  for (let sent = 0; sent < 130; sent += 1) {
    jest.advanceTimersByTime(20)
    await work.endOne()
  }
  const refill = () => {
    for (;;) {
      const laterMs = work.take('greedy', 'send')
      if (laterMs !== undefined) return laterMs
    }
  }
  const first = refill()
  expect(refill() - first).toBeCloseTo(5, 0)
  jest.advanceTimersByTime(600_000)
  for (let sent = 0; sent < 140; sent += 1) {
    jest.advanceTimersByTime(1_000)
    await work.endOne()
    refill()
  }
  const slow = refill()
  expect(refill() - slow).toBeCloseTo(8, 0)
})

it('returns them as soon after the clock was set back', () => {
  jest.useFakeTimers()
  const work = atWork(newTurns(1))
  times(76, () => work.take('greedy'))
  expect(work.take('greedy')).toBe(1_000)
  jest.setSystemTime(Date.now() - 3_600_000)
  expect(work.take('greedy')).toBe(1_001)
})

it('frees every slot', async () => {
  const work = atWork(newTurns(4))
  for (const id of ['a', 'b', 'c']) times(20, () => work.take(id, id === 'a' ? 'retry' : 'poll'))
  await work.settled()
  for (let n = 0; n < 100; n += 1) await work.endOne()
  expect(work.begun).toHaveLength(60)
})

it('sends one after another while creations keep the service busy, but asks at once', async () => {
  const turns = newTurns(32)
  const work = atWork(turns)
  turns.noteBusy()
  const begunAtMs = performance.now()
  times(5, () => work.take('a', 'send'))
  times(5, () => work.take('b', 'send'))
  times(3, () => work.take('c'))
  // Not `settled`: on a busy machine the second one may be due by then.
  await Promise.resolve()
  expect(work.begun.toSorted()).toEqual(['a', 'c', 'c', 'c'])
  while (work.begun.length < 13) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(performance.now() - begunAtMs).toBeGreaterThanOrEqual(9 * 25)
  // Organizations take turns then, too.
  expect(work.begun.slice(4, 8).toSorted()).toEqual(['a', 'a', 'b', 'b'])
  turns.close()
})

describe('submitted, undecided invoices', () => {
  const hand = (turns: Turns, organizationId: string, count: number, ageMs = 0) => {
    for (let n = 0; n < count; n += 1)
      turns.handedOver(organizationId, `${organizationId}-${n}`, ageMs)
  }

  it('delay only the next ones of their organization, until one is decided', async () => {
    const turns = newTurns(32, 1_000, 40)
    const work = atWork(turns)
    hand(turns, 'greedy', 30)
    times(5, () => work.take('greedy', 'send'))
    await work.settled()
    expect(work.begun).toEqual([])
    times(2, () => work.take('greedy', 'poll'))
    times(5, () => work.take('other', 'send'))
    await work.settled()
    expect(work.begun.toSorted()).toEqual(['greedy', 'greedy', ...Array(5).fill('other')])
    for (let n = 0; n < 17; n += 1) turns.decided('greedy', `greedy-${n}`)
    await work.settled()
    expect(work.begun.filter((id) => id === 'greedy')).toHaveLength(3)
    turns.close()
  })

  it('delay nothing once they are old', async () => {
    const turns = newTurns(32, 1_000, 40)
    const work = atWork(turns)
    hand(turns, 'greedy', 30, 9_500)
    work.take('greedy', 'send')
    await work.settled()
    expect(work.begun).toEqual([])
    while (work.begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    turns.close()
  })

  it('count their organization until they are old, though another process gets the decision', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    const turns = newTurns(32)
    const work = atWork(turns)
    for (let n = 0; n < 100; n += 1) hand(turns, `other-${n}`, 1)
    times(2, () => work.take('a'))
    await work.settled()
    expect(work.begun).toHaveLength(1)
    jest.advanceTimersByTime(10_000)
    times(30, () => work.take('a'))
    await work.settled()
    expect(work.begun).toHaveLength(24)
  })

  it('do not delay the exit of the process', async () => {
    const turns = newTurns(2, 1_000, 8)
    const work = atWork(turns)
    hand(turns, 'greedy', 30)
    times(50, () => work.take('greedy', 'send'))
    turns.close()
    await work.settled()
    expect(work.begun).toHaveLength(50)
  })
})
