import { BodyMemory } from './body-memory'

const max = 1000

function hold(memory: BodyMemory, client: string) {
  const refused = jest.fn()
  const body = memory.hold(client, refused)
  return { body, refused }
}

it('accepts up to its limit and rejects more', () => {
  const memory = new BodyMemory(max)
  const [a, b, c] = [hold(memory, 'a'), hold(memory, 'b'), hold(memory, 'c')]
  a.body.add(500)
  b.body.add(499)
  c.body.add(1)
  expect([a, b, c].map(({ refused }) => refused.mock.calls.length)).toEqual([0, 0, 0])
  c.body.add(1)
  expect([a, b, c].map(({ refused }) => refused.mock.calls.length)).toEqual([1, 0, 0])
  expect([a, b, c].map(({ body }) => body.isEvicted)).toEqual([true, false, false])
})

it('one client keeps half; the oldest of its largest bodies is rejected', () => {
  const memory = new BodyMemory(max)
  const bodies = [200, 150, 150].map((bytes) => {
    const held = hold(memory, 'a')
    held.body.add(bytes)
    return held
  })
  const small = hold(memory, 'a')
  small.body.add(1)
  expect(bodies.map(({ refused }) => refused.mock.calls.length)).toEqual([1, 0, 0])
  small.body.add(199)
  small.body.add(1)
  expect([...bodies, small].map(({ refused }) => refused.mock.calls.length)).toEqual([1, 0, 0, 1])
})

it('rejects the client that uses most, not the latest', () => {
  const memory = new BodyMemory(max)
  const greedy = Array.from({ length: 5 }, () => hold(memory, 'greedy'))
  for (const { body } of greedy) body.add(100)
  const modest = [hold(memory, 'b'), hold(memory, 'c')]
  for (const { body } of modest) body.add(250)
  const last = hold(memory, 'd')
  last.body.add(100)
  expect(greedy.filter(({ refused }) => refused.mock.calls.length > 0)).toHaveLength(1)
  expect([...modest, last].every(({ refused }) => refused.mock.calls.length === 0)).toBe(true)
})

it('does not evict events in progress, and then rejects the new one', () => {
  const memory = new BodyMemory(max)
  const working = [hold(memory, 'a'), hold(memory, 'b')]
  for (const { body } of working) {
    body.add(600 - 100)
    body.settle(500)
  }
  const newcomer = hold(memory, 'c')
  newcomer.body.add(1)
  expect(newcomer.refused).toHaveBeenCalledTimes(1)
  expect(working.every(({ refused }) => refused.mock.calls.length === 0)).toBe(true)
  working[0]?.body.release()
  const next = hold(memory, 'c')
  next.body.add(500)
  expect(next.refused).not.toHaveBeenCalled()
})

it('counts decoded bytes, and nothing of released bodies', () => {
  const memory = new BodyMemory(max)
  for (let round = 0; round < 100; round += 1) {
    const { body, refused } = hold(memory, 'a')
    body.add(100)
    body.add(300)
    body.settle(300)
    body.release()
    body.release()
    body.add(5000)
    expect(refused).not.toHaveBeenCalled()
  }
})
