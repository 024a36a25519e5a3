import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Database from 'libsql'
import { openSqliteStore } from './sqlite-store'
import { anInvoice, listRequest, write } from '../testdata/invoices'
import { openAndKill } from '../testdata/opening-process'

const fail = (error: Error) => {
  throw error
}
const rows = 64_000

/** The file of a version without list rows. */
async function makeOlder(file: string): Promise<void> {
  const store = await openSqliteStore(file, fail)
  await store.create(write(anInvoice({ amountTtc: 0 })))
  await store.close()
  const direct = new Database(file)
  const columns = (direct.prepare('PRAGMA table_info(invoice)').all() as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'rowid')
  const fresh: Record<string, string> = {
    id: `id || '-' || step.n`,
    invoice_number: `invoice_number || '-' || step.n`,
    content: `json_set(content, '$.amountTtc', step.n, '$.id', id || '-' || step.n)`,
    amount_ttc: 'step.n',
  }
  const values = columns.map((name) => fresh[name] ?? name)
  direct.exec(
    `WITH RECURSIVE step(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < ${rows - 1})
     INSERT INTO invoice (${columns.join(', ')}) SELECT ${values.join(', ')} FROM invoice, step;
     DELETE FROM list_row; DELETE FROM list_count; DELETE FROM list_stale;
     UPDATE list_state SET folded_to = 0, ready = 0`,
  )
  const indexes = direct
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'list_by_%'`)
    .all() as { name: string }[]
  for (const { name } of indexes) direct.exec(`DROP INDEX ${name}`)
  direct.close()
}

it('fills the lists of an older file though it is killed again and again in between', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-kill-'))
  const file = path.join(folder, 'invoices.db')
  await makeOlder(file)
  const direct = new Database(file, { readonly: true })
  const read = () =>
    direct.prepare('SELECT folded_to AS foldedTo, ready FROM list_state').get() as {
      foldedTo: number
      ready: number
    }
  for (const until of [10_000, 40_000]) {
    await openAndKill(['sqlite', file], () => read().foldedTo >= until)
    expect(read()).toMatchObject({ ready: 0 })
  }
  direct.close()

  const store = await openSqliteStore(file, fail)
  const page = { page: 1_600, size: 20 }
  const listed = await store.list('org-1', listRequest({ sortBy: 'amountTtc', page }))
  expect(listed.total).toBe(rows)
  expect(listed.invoices.map(({ amountTtc }) => amountTtc)).toEqual(
    Array.from({ length: 20 }, (_, index) => rows - 1 - 32_000 - index),
  )
  expect((await store.list('org-1', listRequest({ status: 'SIGNED' }))).total).toBe(rows)
  await store.close()
  fs.rmSync(folder, { recursive: true })
}, 120_000)
