import { CheckpointWriter } from './checkpoint'
import { verifyAudit, type KeptCheckpoint } from './verify-audit'

const now = new Date('2026-11-25T12:00:00Z')
const chains = (date?: string) => ({
  completeAuditChains: async () => undefined,
  listAuditHeads: async () => [],
  listHeadless: async () => [],
  readAuditChain: async () => [],
  readCheckpointState: async () => (date === undefined ? undefined : { date, at: '' }),
})

const makeAt = (date: string, madeAt = `${date}T00:00:05.000Z`): KeptCheckpoint => ({
  date,
  read: () => new CheckpointWriter('invoices', date).end(madeAt, undefined),
})

/** By date. */
async function listProblems(kept: KeptCheckpoint[], written?: string) {
  const listCheckpoints = async function* () {
    yield* kept
  }
  const trust = { trusted: undefined, now }
  const found: [string, string][] = []
  const audit = { log: 'invoices', chains: chains(written), listCheckpoints, trust } as const
  for await (const finding of verifyAudit(audit)) {
    if (finding.kind !== 'checkpoint' || finding.problem === undefined) continue
    found.push([finding.date, finding.problem])
  }
  return found
}

const days = ['2026-11-23', '2026-11-24', '2026-11-25']

test('a checkpoint of a day to come is one problem, not those of all days until then', async () => {
  const kept = [...days, '2026-11-26', '9998-12-31'].map((date) => makeAt(date, now.toISOString()))
  expect(await listProblems(kept, '2026-11-25')).toEqual([
    ['2026-11-26', 'its day has not begun'],
    ['9998-12-31', 'its day has not begun'],
  ])
})

test('the store cannot name a day to come either', async () => {
  expect(
    await listProblems(
      days.slice(0, 2).map((date) => makeAt(date)),
      '9998-12-31',
    ),
  ).toEqual([['2026-11-25', 'it is not in the archive']])
})

test('a gap longer than what is made up is one problem', async () => {
  const kept = ['1000-01-01', ...days].map((date) => makeAt(date, now.toISOString()))
  expect(await listProblems(kept)).toEqual([
    [
      '1000-01-02',
      expect.stringMatching(/^it is not in the archive, nor are those of the \d{6} days/),
    ],
  ])
})

test.each([
  ['2026-11-20T08:00:00.000Z'],
  ['2026-11-23T23:49:00.000Z'],
  ['2026-11-25T12:11:00.000Z'],
  ['no time'],
])('one made at %s is not of its day', async (madeAt) => {
  expect(await listProblems([makeAt('2026-11-24', madeAt)])).toEqual([
    ['2026-11-24', expect.stringMatching(/as its time, which is not between its day and now/)],
  ])
})

test.each(['2026-11-23T23:51:00.000Z', '2026-11-25T12:09:00.000Z'])(
  'one made at %s is accepted: clocks differ, and missed days are made up',
  async (madeAt) => {
    expect(await listProblems([makeAt('2026-11-24', madeAt)])).toEqual([])
  },
)
