import { createHash } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import { CheckpointWriter } from '@einvoicing/verification/audit/checkpoint'
import { ObjectTaken, type StoredObject } from '../objects/objects'
import { keepAuditCheckpoint } from './audit-checkpoints'

const dayMs = 86_400_000
const now = new Date('2026-11-23T00:00:20.000Z')
const date = '2026-11-23'
const madeAt = '2026-11-23T00:00:10.000Z'
const call: Call = {
  caller: { service: 'organizations', actor: 'service:organizations' },
  requestId: 'test',
  deadline: Date.now() + 60_000,
}

let stored: Map<string, StoredObject>
beforeEach(() => {
  stored = new Map()
})

const objects = {
  async put(key: string, object: StoredObject) {
    const before = stored.get(key)
    if (before && before.sha256 !== object.sha256) throw new ObjectTaken(key)
    stored.set(key, object)
  },
  get: async (key: string) => stored.get(key),
}
const keep = (request: { date: string; madeAt: string; content: Buffer }) =>
  keepAuditCheckpoint({ objects, now: () => now }, request, call)

async function write(seq: number, madeAt: string, date = '2026-11-23'): Promise<Buffer> {
  const writer = new CheckpointWriter('organizations', date)
  const hash = createHash('sha256').update(String(seq)).digest('hex')
  await writer.add([{ organizationId: '00000000-0000-4000-8000-000000000001', seq, hash }])
  return writer.end(madeAt, undefined)
}

const addDays = (days: number, time = now) => new Date(time.getTime() + days * dayMs).toISOString()
const toDate = (days: number) => addDays(days).slice(0, 10)

test.each([
  ['of today', date, madeAt],
  ['of the oldest day that is made up', toDate(-401), madeAt],
])('one %s is stored', async (_, day, made) => {
  expect(await keep({ date: day, madeAt: made, content: await write(1, made, day) })).toEqual({})
  const [[key, { retainUntil }] = ['', { retainUntil: now }]] = stored
  expect(key).toBe(`audit/organizations/${day}.json.gz`)
  expect(retainUntil).toEqual(new Date('2036-12-31T23:59:59.999Z'))
})

test.each([
  ['tomorrow', toDate(1), madeAt, /one of the clocks is wrong/],
  ['tomorrow, made then', toDate(1), addDays(1), /one of the clocks is wrong/],
  ['the day after tomorrow', toDate(2), madeAt, /one of the clocks is wrong/],
  ['the last day there is', '9998-12-31', madeAt, /one of the clocks is wrong/],
  ['a day that is never made up', toDate(-403), madeAt, /one of the clocks is wrong/],
  ['today, made in two days', date, addDays(2), /one of the clocks is wrong/],
  ['today, made two days ago', date, addDays(-2), /one of the clocks is wrong/],
  ['no day', '2026-02-30', madeAt, /without a valid day/],
  ['no month', '2026-99-01', madeAt, /without a valid day/],
  ['a day, made at no time', date, 'now', /without a valid day/],
])('one of %s is not stored', async (_, day, made, message) => {
  await expect(keep({ date: day, madeAt: made, content: Buffer.from('') })).rejects.toThrow(message)
  expect(stored.size).toBe(0)
})

describe('of two for one day', () => {
  const keepAfter = async (content: Buffer) => {
    await objects.put('audit/organizations/2026-11-23.json.gz', {
      bytes: content,
      sha256: createHash('sha256').update(content).digest('hex'),
      mediaType: 'application/gzip',
      retainUntil: now,
    })
    return keep({ date, madeAt, content: await write(2, madeAt) })
  }

  test('the same heads need no report', async () => {
    expect(await keepAfter(await write(2, '2026-11-23T00:00:05.000Z'))).toEqual({})
  })

  test('other heads of that day are reported with their time', async () => {
    const otherMadeAt = '2026-11-23T00:00:05.000Z'
    expect(await keepAfter(await write(1, otherMadeAt))).toEqual({ otherMadeAt })
  })

  test.each([
    ['made weeks before', () => write(1, addDays(-21))],
    ['with the same heads, made weeks before', () => write(2, addDays(-21))],
    ['made next year', () => write(1, addDays(365))],
    ['made at no time', () => write(1, 'later')],
    ['of other bytes', async () => Buffer.from('no checkpoint')],
  ])('one %s is not valid', async (_, other) => {
    expect(await keepAfter(await other())).toEqual({ otherMadeAt: '' })
  })

  test('one without a time stamp is not valid where there is an authority', async () => {
    const writer = new CheckpointWriter('organizations', date)
    const content = await writer.end(madeAt, Buffer.from('a token'))
    await keep({ date, madeAt, content: await write(1, madeAt) })
    expect(await keep({ date, madeAt, content })).toEqual({ otherMadeAt: '' })
  })

  test('it is sent again while the archive cannot read', async () => {
    const gone = unavailable('The archive')
    const away = { ...objects, get: () => Promise.reject(gone) }
    await keep({ date, madeAt, content: await write(1, madeAt) })
    const content = await write(2, madeAt)
    const again = keepAuditCheckpoint(
      { objects: away, now: () => now },
      { date, madeAt, content },
      call,
    )
    await expect(again).rejects.toBe(gone)
  })
})
