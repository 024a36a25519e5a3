import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inTransaction, openSqlite, type Sqlite } from '@einvoicing/stores/sqlite'
import { queuedWorkReads } from './queued-work'
import { migrations } from './schema'
import type { DueWork } from '../store'

const [past, now, future] = ['2040-01-01', '2040-05-03T10:00:00Z', '2041-01-01']

let folder: string
let database: Sqlite
let reads: ReturnType<typeof queuedWorkReads>
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'queued-work-'))
  database = openSqlite(path.join(folder, 'invoices.db'), migrations)
  reads = queuedWorkReads(database)
})
afterEach(() => {
  database.close()
  fs.rmSync(folder, { recursive: true })
})

let invoices = 0
function queue(works: readonly (readonly [organizationId: string, nextAttemptAt: string])[]) {
  const insert = database.prepare(
    `INSERT INTO long_term_work (organization_id, invoice_id, part, next_attempt_at)
     VALUES (?, ?, 'evidence', ?)`,
  )
  inTransaction(database, () => {
    for (const [organizationId, nextAttemptAt] of works)
      insert.run([organizationId, `invoice-${++invoices}`, nextAttemptAt])
  })
}

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n))

async function takeFor(query: Partial<DueWork> = {}): Promise<string[]> {
  const everything = { after: '', except: [], underway: [], leaseUntil: now, count: 8 }
  const due: DueWork = { queue: 'evidence', now, ...everything, ...query }
  const taken = await reads.takeWork(due)
  return taken.map(({ organizationId }) => organizationId)
}

async function measure(count: number, query: Partial<DueWork>): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < count; n += 1) await takeFor(query)
  return performance.now() - began
}

it('of 20,000 organizations', async () => {
  queue(many(20_000, (n) => [`org-${String(n).padStart(5, '0')}`, future]))
  expect(await takeFor()).toEqual([])
  expect(await measure(20, {})).toBeLessThan(500)
  expect(await measure(20, { after: 'org-10000', horizon: future })).toBeLessThan(500)
  queue(['org-03000', 'org-17000'].map((id) => [id, past]))
  expect(await takeFor({ after: 'org-10000' })).toEqual(['org-17000'])
  expect(await takeFor({ after: 'org-17000' })).toEqual(['org-03000'])
  expect(await measure(20, { after: 'org-17000' })).toBeLessThan(500)
})

it('of one organization', async () => {
  queue(many(100_000, () => ['org-1', future]))
  queue([['org-1', past]])
  expect(await takeFor({ horizon: '2042' })).toEqual(['org-1'])
  expect(await measure(100, { horizon: '2042' })).toBeLessThan(500)
})

it('of an organization with much that is due', async () => {
  queue(many(50_000, () => ['org-2', past]))
  queue(['org-1', 'org-3', 'org-4'].map((id) => [id, now]))
  const inTurn = many(8, () => 'org-2')
  expect(await takeFor()).toEqual(['org-1'])
  expect(await takeFor({ after: 'org-1' })).toEqual(inTurn)
  expect(await takeFor({ after: 'org-2' })).toEqual(['org-3'])
  expect(await takeFor({ after: 'org-2', except: ['org-3'] })).toEqual(['org-4'])
  expect(await takeFor({ after: 'org-4' })).toEqual(['org-1'])
  expect(await takeFor({ after: 'org-4', except: ['org-1'] })).toEqual(inTurn)
  expect(await measure(100, { except: ['org-2'] })).toBeLessThan(500)
})

it('beyond the horizon it is due, after everything else', async () => {
  queue([
    ['org-1', future],
    ['org-2', past],
  ])
  expect(await takeFor({ horizon: now })).toEqual(['org-2'])
  expect(await takeFor({ horizon: now, except: ['org-2'] })).toEqual(['org-1'])
  expect(await takeFor({ except: ['org-2'] })).toEqual([])
})
