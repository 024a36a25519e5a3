import { FairQueue } from './fair-queue'

function makeLane(turns: FairQueue, reported: string[]) {
  return (lane: string, name: string) =>
    turns.add(lane, { start: () => reported.push(name), reject: () => reported.push(`-${name}`) })
}

it('starts one of each lane in turn', () => {
  const reported: string[] = []
  const turns = new FairQueue(10)
  const add = makeLane(turns, reported)
  for (const name of ['a1', 'a2', 'a3']) add('a', name)
  for (const name of ['b1', 'b2']) add('b', name)
  add('c', 'c1')
  for (let next = turns.next(); next; next = turns.next()) next.start()
  expect(reported).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(turns.next()).toBeUndefined()
})

it('one lane never fills it: the longest lane loses its last entry to a shorter one', () => {
  const reported: string[] = []
  const turns = new FairQueue(4)
  const add = makeLane(turns, reported)
  for (const name of ['a1', 'a2', 'a3', 'a4']) expect(add('a', name)).toBe(true)
  expect(add('a', 'a5')).toBe(false)
  expect(add('b', 'b1')).toBe(true)
  expect(add('b', 'b2')).toBe(true)
  expect(reported).toEqual(['-a4', '-a3'])
  expect(add('b', 'b3')).toBe(false)
  expect(add('c', 'c1')).toBe(true)
  expect(reported).toHaveLength(3)
})

it('forgets events that are no longer pending', () => {
  const turns = new FairQueue(1)
  const waiting = { start: () => undefined, reject: () => undefined }
  turns.add('a', waiting)
  turns.remove('a', waiting)
  turns.remove('a', waiting)
  expect(turns.next()).toBeUndefined()
  expect(turns.add('b', waiting)).toBe(true)
})
