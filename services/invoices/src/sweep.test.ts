import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { createLog } from '@einvoicing/runtime/log'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import { anInvoice, write } from './store/testdata/invoices'
import { startSweeper } from './sweep'
import { untilHolds } from './testdata/neighbours'

const log = createLog('silent')
const fail = (error: Error): never => {
  throw error
}

it('also publishes again what was changed in the future', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sweeper-'))
  const store = await openSqliteStore(path.join(folder, 'invoices.db'), fail)
  const now = new Date('2026-05-03T10:00:00Z')
  const at = (updatedAt: string) => anInvoice({ updatedAt, clearanceStartedAt: updatedAt })
  const [old, fresh] = [at('2026-05-03T09:00:00.000Z'), at('2026-05-03T10:01:00.000Z')]
  const ahead = at('2026-05-04T10:00:00.000Z')
  for (const invoice of [old, fresh, ahead]) await store.create(write(invoice))
  const published: string[] = []
  const bus = {
    ...openInProcessBus(log),
    publish: async ({ subject }: { subject: string }) => void published.push(subject),
  }
  const sweeper = startSweeper({ store, bus, now: () => now, log })
  await untilHolds(
    async () => published.length,
    (count) => count >= 2,
  )
  await sweeper.close()
  expect(published.sort()).toEqual([old.id, ahead.id].sort())
  await bus.close()
  await store.close()
  fs.rmSync(folder, { recursive: true })
})
