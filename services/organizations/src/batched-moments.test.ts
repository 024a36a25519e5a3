import { createLog } from '@einvoicing/runtime/log'
import { BatchedMoments } from './batched-moments'

const count = 20_000
const ids = Array.from({ length: count }, (_, n) => `id-${n}`)
const [first, second] = [new Date('2026-05-03T10:00:00Z'), new Date('2026-05-03T10:00:01Z')]

let written: ReadonlyMap<string, string>[]
let failAt: number
let turns: number
let moments: BatchedMoments
beforeEach(() => {
  written = []
  failAt = Infinity
  turns = 0
  const record = async (slice: ReadonlyMap<string, string>) => {
    setImmediate(() => (turns += 1))
    if (written.length === failAt) throw new Error('unavailable')
    written.push(new Map(slice))
  }
  moments = new BatchedMoments('moments', record, { log: createLog('silent'), everyMs: 60_000 })
  for (const id of ids) moments.note(id, first)
})
afterEach(() => moments.close())

it('are written in slices, with other work between them', async () => {
  await moments.write()
  expect(written.flatMap((slice) => [...slice.keys()])).toEqual(ids)
  expect(Math.max(...written.map(({ size }) => size))).toBeLessThanOrEqual(500)
  expect(turns).toBeGreaterThanOrEqual(written.length - 1)
})

it('are written once, also when the store fails before the last of them', async () => {
  failAt = 3
  await moments.write()
  const done = [...written[0]!.keys()]
  moments.note(done[0]!, second)
  expect([moments.noted(done[1]!), moments.noted('id-19999')]).toEqual([
    undefined,
    first.toISOString(),
  ])
  failAt = Infinity
  await moments.write()
  const all = written.flatMap((slice) => [...slice])
  expect(all).toHaveLength(count + 1)
  expect(all.filter(([id]) => id === done[0]).map(([, at]) => at)).toEqual(
    [first, second].map((at) => at.toISOString()),
  )
})

it('noted while they are written are written with the next batch, or at the end', async () => {
  const writing = moments.write()
  moments.note('id-0', second)
  moments.note('id-19999', second)
  await Promise.all([writing, moments.write(), moments.close()])
  const of = (id: string) => written.flatMap((slice) => slice.get(id) ?? [])
  expect(of('id-0')).toEqual([first, second].map((at) => at.toISOString()))
  expect(of('id-19999')).toEqual([second.toISOString()])
  expect(written.flatMap((slice) => [...slice])).toHaveLength(count + 1)
})
