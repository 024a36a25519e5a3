import { randomUUID } from 'node:crypto'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import type { InvoiceStore } from '../store/store'
import { anInvoice, dueWork, signedWrite, write } from '../store/testdata/invoices'
import { useSqliteStore } from '../store/testdata/sqlite'

const main = path.join(__dirname, '../../../../deploy/admin/src/main.ts')
const timeStampedAt = '2026-05-03T10:00:00.000Z'

let dataDir: string
let store: InvoiceStore
useSqliteStore((opened, folder) => ([store, dataDir] = [opened, folder]))

function run(...words: string[]): Promise<{ status: number; output: string; errors: string }> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  return new Promise((resolve) =>
    execFile(process.execPath, [...runUnbuilt(main), ...words], { env }, (error, output, errors) =>
      resolve({ status: error ? Number(error.code) : 0, output, errors }),
    ),
  )
}

/** Archived, and its time stamp given up: as of a version before. */
async function bare(): Promise<string> {
  const id = randomUUID()
  await store.create(signedWrite(anInvoice({ id })))
  await store.finishWork((await dueWork(store))[0]!)
  await store.finishWork((await dueWork(store, { queue: 'time-stamps' }))[0]!)
  return id
}

async function withArtefact(artefact: number, renewBy?: string): Promise<string> {
  const id = await bare()
  await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: id }])
  const [work] = await dueWork(store, { queue: 'evidence' })
  const level = artefact === 0 ? 'XAdES-B-LT' : 'XAdES-B-LTA'
  await store.keepEvidence(work!, { level, timeStampedAt, artefact, renewBy })
  return id
}

const dueIds = async (queue: 'time-stamps' | 'evidence') =>
  (await dueWork(store, { queue, count: 99 })).map(({ invoiceId }) => invoiceId).sort()

it('backfill requests what each signature lacks once, beside the running service', async () => {
  const stampless = [await bare(), await bare()].sort()
  const lower = await withArtefact(0)
  await withArtefact(1)
  await store.create(write(anInvoice({ status: 'PENDING' })))
  const first = await run('evidence', 'backfill', '--per-minute', '60000')
  expect(first).toEqual({
    status: 0,
    errors: '',
    output:
      '4 checked, 3 requested, 0 in progress\n' +
      'done: the running service adds evidence to 3 signatures\n',
  })
  expect(await dueIds('time-stamps')).toEqual(stampless)
  expect(await dueIds('evidence')).toEqual([lower])
  const again = await run('--json', 'evidence', 'backfill')
  const progress = { looked: 4, requested: 0, pending: 3 }
  expect(again.output).toBe(
    `${JSON.stringify(progress)}\n${JSON.stringify({ ...progress, done: true })}\n`,
  )
})

it('renew requests what is due, and with --all everything', async () => {
  const due = await withArtefact(1, '2026-01-01T00:00:00.000Z')
  const later = await withArtefact(2, '2090-01-01T00:00:00.000Z')
  const never = await withArtefact(1)
  expect(await run('evidence', 'renew')).toMatchObject({
    output: expect.stringContaining('1 checked, 1 requested'),
  })
  expect(await dueIds('evidence')).toEqual([due])
  expect(await run('evidence', 'renew')).toMatchObject({
    output: 'done: the running service adds evidence to 0 signatures\n',
  })
  const all = await run('evidence', 'renew', '--all', '--per-minute', '60000')
  expect(all.output).toContain('3 checked, 2 requested, 1 in progress')
  expect(await dueIds('evidence')).toEqual([due, later, never].sort())
})

it('says what rates there are', async () => {
  for (const rate of ['0', '60001', 'many']) {
    expect(await run('evidence', 'backfill', '--per-minute', rate)).toMatchObject({
      status: 2,
      errors: expect.stringContaining('a whole number from 1 to 60000'),
    })
  }
})
