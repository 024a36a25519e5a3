import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import {
  CheckpointWriter,
  findCheckpointProblem,
  readCheckpoint,
  readCheckpointKey,
  readCheckpointSeal,
  readLeaf,
  checkpointKey,
} from './checkpoint'
import { listDueDates, makeDueCheckpoints } from './make-checkpoints'

const expected = { log: 'invoices', date: '2026-11-23' } as const
const trust = { trusted: undefined, now: new Date('2026-11-24T00:00:00Z') }

const headsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    organizationId: `${String(from + index).padStart(8, '0')}-0000-4000-8000-000000000000`,
    seq: from + index + 1,
    hash: createHash('sha256').update(String(index)).digest('hex'),
  }))

async function write(count: number): Promise<Buffer> {
  const writer = new CheckpointWriter('invoices', expected.date)
  for (let from = 0; from < count; from += 1_000) {
    await writer.add(headsFrom(from, Math.min(1_000, count - from)))
  }
  return writer.end('2026-11-23T00:00:01.000Z', undefined)
}

test.each([0, 1, 2, 1_000, 1_001])('%d heads are read as they were written', async (count) => {
  const checkpoint = await readCheckpoint(await write(count))
  expect(checkpoint).toMatchObject({ ...expected, timeStamp: null })
  expect(checkpoint.leaves).toHaveLength(count)
  const { madeAt, root, timeStamp } = checkpoint
  expect(await readCheckpointSeal(await write(count))).toEqual({ madeAt, root, timeStamp })
  expect(findCheckpointProblem(checkpoint, expected, trust)).toBeUndefined()
  const [head] = headsFrom(0, 1)
  const chain = `invoices/${head?.organizationId}`
  if (count > 0) expect(readLeaf(checkpoint.leaves[0] ?? '')).toMatchObject({ chain, seq: 1 })
})

test.each([
  ['is of another day', { date: '2026-11-22' }, /it is of invoices, 2026-11-22/],
  ['is of another log', { log: 'organizations' }, /it is of organizations/],
  ['lacks a leaf', { leaves: 1 }, /its root is not that of its leaves/],
  ['has another root', { root: 'ab'.repeat(32) }, /its root is not/],
  ['has no token in its token', { timeStamp: 'AAAA' }, /cannot be read/],
])('one that %s does not hold', async (_what, change, problem) => {
  const checkpoint = await readCheckpoint(await write(3))
  const leaves = 'leaves' in change ? checkpoint.leaves.slice(1) : checkpoint.leaves
  const changed = { ...checkpoint, ...change, leaves } as typeof checkpoint
  expect(findCheckpointProblem(changed, expected, trust)).toMatch(problem)
})

test('leaves that are not in order are not a tree of chains', async () => {
  const checkpoint = await readCheckpoint(await write(3))
  checkpoint.leaves.reverse()
  expect(findCheckpointProblem(checkpoint, expected, trust)).toMatch(/not in order/)
})

test('a hundred thousand chain heads fit into one message between services', async () => {
  const bytes = await write(100_000)
  expect(bytes.length).toBeLessThan(16 * 1024 * 1024)
})

test('other bytes are not a checkpoint', async () => {
  await expect(readCheckpoint(Buffer.from('no gzip'))).rejects.toThrow()
  await expect(readCheckpointSeal(Buffer.from('no gzip'))).rejects.toThrow()
  for (const text of ['{}', '],"madeAt":1,"root":"","timeStamp":null}', '],"madeAt":"']) {
    await expect(readCheckpointSeal(gzipSync(text))).rejects.toThrow()
  }
})

test('its key says of which log and day it is', () => {
  expect(readCheckpointKey(checkpointKey('invoices', '2026-11-23'))).toEqual(expected)
  for (const key of [
    'audit/signer/2026-11-23.json.gz',
    'a/audit/invoices/2026-11-23.json.gz',
    'audit/invoices/2026-02-30.json.gz',
    'audit/invoices/2026-99-01.json.gz',
  ]) {
    expect(readCheckpointKey(key)).toBeUndefined()
  }
})

const now = new Date('2026-11-23T00:00:05Z')
test.each([
  [undefined, ['2026-11-23']],
  [{ at: '2026-11-20T00:00:00Z' }, ['2026-11-23']],
  [{ date: '2026-11-23', at: '' }, []],
  [{ date: '2026-11-22', at: '' }, ['2026-11-23']],
  [{ date: '2026-11-20', at: '' }, ['2026-11-21', '2026-11-22', '2026-11-23']],
  // A clock that was set back.
  [{ date: '2026-11-25', at: '' }, []],
])('after %j due are %j', (state, dates) => {
  expect(listDueDates(state, now)).toEqual(dates)
})

test.each(['2026-11-20', '2026-11-26'])(
  'one of %s is reported as three days from now, also when a clock was set back',
  async (date) => {
    const at = `${date}T00:00:05Z`
    const chains = {
      readCheckpointState: async () => ({ date, at }),
      writeCheckpointState: async () => undefined,
      listAuditHeads: async () => [],
      takeCheckpointTurn: async () => true,
    }
    const archive = { timeStamp: async () => undefined, store: async () => undefined }
    const log = createLog('silent')
    await makeDueCheckpoints({ auditLog: 'invoices', chains, archive, now: () => now, log })
    const age = await metrics.getSingleMetric('einvoicing_audit_checkpoint_age_seconds')?.get()
    expect(age?.values).toMatchObject([{ value: 3 * 86_400 }])
  },
)
