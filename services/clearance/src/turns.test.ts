import { Turns, type EndTurn, type Kind } from './turns'

/** Takes turns and keeps them until told to end them. */
function atWork(turns: Turns) {
  const begun: string[] = []
  const ends: EndTurn[] = []
  const take = (organizationId: string, kind: Kind = 'ordinary') => {
    const turn = turns.take(organizationId, kind, 0)
    if (typeof turn === 'number') return turn
    void turn.then((end) => {
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

const times = (count: number, act: () => unknown) => {
  for (let n = 0; n < count; n += 1) act()
}

it('leaves slots for an organization that comes new', async () => {
  const work = atWork(new Turns({ slots: 8, waitingMax: 100 }))
  times(50, () => work.take('greedy'))
  await work.settled()
  expect(work.begun).toHaveLength(6)
  times(2, () => work.take('other'))
  await work.settled()
  expect(work.begun.slice(6)).toEqual(['other', 'other'])
})

it('gives turns to organizations one after another, not to invoices', async () => {
  const work = atWork(new Turns({ slots: 1, waitingMax: 1_000 }))
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

it('bounds what is tried again to a quarter of the slots', async () => {
  const work = atWork(new Turns({ slots: 8, waitingMax: 100 }))
  for (const id of ['a', 'b', 'c', 'd']) times(5, () => work.take(id, 'retry'))
  await work.settled()
  expect(work.begun).toHaveLength(2)
  times(5, () => work.take('e'))
  await work.settled()
  expect(work.begun.filter((id) => id === 'e')).toHaveLength(2)
})

it('lets neither kind of an organization starve the other', async () => {
  const turns = new Turns({ slots: 1, waitingMax: 100 })
  const work = atWork(turns)
  const kinds: Kind[] = []
  const ends: EndTurn[] = []
  for (const kind of ['ordinary', 'retry'] as const) {
    times(10, () => {
      const turn = turns.take('a', kind, 0)
      if (typeof turn !== 'number') {
        void turn.then((end) => {
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
  expect(kinds).toEqual(['ordinary', 'retry', 'ordinary', 'retry', 'ordinary', 'retry'])
})

it('sends back what an organization has too many of, spread over time, and takes in others', async () => {
  const work = atWork(new Turns({ slots: 1, waitingMax: 100 }))
  times(76, () => expect(work.take('greedy')).toBeUndefined())
  expect(work.take('greedy')).toBe(1_000)
  expect(work.take('greedy')).toBe(1_001)
  expect(work.take('other')).toBeUndefined()
})

it('gives every slot back', async () => {
  const work = atWork(new Turns({ slots: 4, waitingMax: 100 }))
  for (const id of ['a', 'b', 'c'])
    times(20, () => work.take(id, id === 'a' ? 'retry' : 'ordinary'))
  await work.settled()
  for (let n = 0; n < 100; n += 1) await work.endOne()
  expect(work.begun).toHaveLength(60)
})
