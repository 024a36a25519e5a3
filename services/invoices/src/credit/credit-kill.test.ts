/** What is booked on an invoice, and the credit notes that are stored, agree after any kill. */

import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Credit, Invoice } from '@einvoicing/proto/invoice'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import type { InvoicesConfig } from '../config'
import { call } from '../testdata/neighbours'
import { createCredits, start, type Under } from './testdata/credits'

const script = path.join(__dirname, 'testdata/credit-loop.ts')

function spawnLoop(config: InvoicesConfig, ids: readonly string[]): ChildProcess {
  const args = [...runUnbuilt(script), JSON.stringify(config), ...ids]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** After so many credit notes, in the middle of whatever it does. */
async function killAfter(child: ChildProcess, count: number): Promise<void> {
  let created = 0
  for await (const chunk of child.stdout!) {
    created += (chunk as Buffer).length
    if (created >= count) break
  }
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
}

async function withInvoices<T>(
  config: InvoicesConfig,
  work: (credits: ReturnType<typeof createCredits>) => Promise<T>,
): Promise<T> {
  const under: Under = await start([config])
  try {
    return await work(createCredits(() => under))
  } finally {
    await under.close()
  }
}

async function killAndCompare(config: InvoicesConfig, processes: number): Promise<void> {
  const ids = await withInvoices(config, async ({ original }) => [
    (await original()).id,
    (await original()).id,
  ])
  const children = Array.from({ length: processes }, (_, index) =>
    spawnLoop(config, index % 2 === 0 ? ids : ids.toReversed()),
  )
  await Promise.all(children.map((child, index) => killAfter(child, 12 + 5 * index)))
  await withInvoices(config, async ({ handlers, get }) => {
    const originals = await Promise.all(ids.map(get))
    const request = { page: { page: 0, size: 500 }, sortBy: 'createdAt', descending: false }
    const filter = { ...request, type: 'CREDIT_NOTE' }
    const { invoices } = await handlers().listInvoices(filter, call())
    expect(invoices.length).toBeGreaterThanOrEqual(12)
    expect(sumByNote(originals)).toEqual(
      new Map(invoices.map(({ id, amountHt }) => [id, amountHt] as const)),
    )
  })
}

function sumByNote(originals: readonly Invoice[]): Map<string, number> {
  const sums = new Map<string, number>()
  const credits = originals.flatMap((original): Credit[] => original.credits?.items ?? [])
  for (const { creditNoteId, bases } of credits) {
    const amount = bases.reduce((sum, base) => sum + base.amount, sums.get(creditNoteId) ?? 0)
    sums.set(creditNoteId, amount)
  }
  return sums
}

it('on SQLite, with its one process killed', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'credit-kill-'))
  const file = path.join(folder, 'invoices.db')
  await killAndCompare({ store: { kind: 'sqlite', file } }, 1)
  fs.rmSync(folder, { recursive: true })
}, 120_000)

describeWith('mongod', 'on MongoDB', () => {
  let server: Mongod
  beforeAll(async () => (server = await startMongod()), 60_000)
  afterAll(() => server.dispose())

  it('with two processes killed that credit the same invoices in opposite order', async () => {
    const url = server.url.replace(/\/(\?|$)/, `/kill_${randomUUID()}$1`)
    await killAndCompare({ store: { kind: 'mongodb', url } }, 2)
  }, 120_000)
})
