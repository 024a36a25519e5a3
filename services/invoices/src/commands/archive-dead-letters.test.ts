import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import { openSqliteStore } from '../store/sqlite/sqlite-store'
import { anInvoice, dueWork, signedWrite } from '../store/testdata/invoices'

const fail = (error: Error): never => {
  throw error
}
const command = [
  ...runUnbuilt(path.join(__dirname, '../../../../deploy/admin/src/main.ts')),
  'archive',
]

interface Ran {
  status: number
  output: string
  errors: string
}

function run(dataDir: string, ...words: string[]): Promise<Ran> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  return new Promise((resolve) =>
    execFile(process.execPath, [...command, ...words], { env }, (error, output, errors) =>
      resolve({ status: error ? Number(error.code) : 0, output, errors }),
    ),
  )
}

it('lists what was given up and has it tried again, beside the running service', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'archive-command-'))
  const store = await openSqliteStore(path.join(dataDir, 'invoices.db'), fail)
  try {
    expect(await run(dataDir, 'list')).toEqual({ status: 0, output: '', errors: 'none\n' })
    const letter = { attempts: 12, at: '2026-05-03T10:00:00.000Z', error: 'other bytes' }
    for (let made = 0; made < 3; made += 1) await store.create(signedWrite(anInvoice()))
    const works = await dueWork(store)
    for (const work of works) await store.buryArchiveWork(work, letter)
    const listed = await run(dataDir, 'list')
    expect(
      listed.output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(works.map(({ position: _position, ...work }) => ({ ...work, ...letter })))

    const [first] = works
    const one = await run(dataDir, 'retry', first!.invoiceId, 'unknown')
    expect(one).toEqual({
      status: 1,
      output: `${first!.invoiceId} signed-xml: retried\n`,
      errors: 'unknown is not a dead letter\n',
    })
    expect(await dueWork(store)).toMatchObject([{ invoiceId: first!.invoiceId, attempts: 0 }])
    expect((await run(dataDir, 'retry', 'all')).status).toBe(0)
    expect(await dueWork(store)).toHaveLength(3)
    expect((await store.backlogs()).archiveDeadLetters.count).toBe(0)
  } finally {
    await store.close()
    fs.rmSync(dataDir, { recursive: true })
  }
})

it('says how it is used, and where it finds no store', async () => {
  expect(await run('/nonexistent', '--help')).toMatchObject({
    status: 0,
    output: expect.stringContaining('retry <INVOICE-ID...>'),
  })
  for (const words of [[], ['retry'], ['list', 'all'], ['drop', 'all']]) {
    expect(await run('/nonexistent', ...words)).toMatchObject({
      status: 2,
      errors: expect.stringContaining('Usage: admin archive'),
    })
  }
  expect(await run('/nonexistent', 'list')).toMatchObject({
    status: 2,
    errors: '/nonexistent/invoices.db does not exist: set DATA_DIR or MONGODB_URL\n',
  })
})
