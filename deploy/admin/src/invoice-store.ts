import fs from 'node:fs'
import path from 'node:path'
import { readInvoicesConfig } from '@einvoicing/invoices/config'
import { openStore } from '@einvoicing/invoices/store/open-store'
import type { InvoiceStore } from '@einvoicing/invoices/store/store'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import type { Shell } from './shell'

export async function withInvoiceStore(
  shell: Shell,
  work: (store: InvoiceStore) => Promise<number>,
): Promise<number> {
  const env = new EnvReader(shell.environment)
  const config = readInvoicesConfig(env, path.resolve(env.text('DATA_DIR', './data')))
  env.throwErrors()
  if (config.store.kind === 'sqlite' && !fs.existsSync(config.store.file)) {
    throw new Error(`${config.store.file} does not exist: set DATA_DIR or MONGODB_URL`)
  }
  const log = createLog('warn', process.stderr)
  // The operation under way is rejected, and that ends the command.
  const fail = (err: Error) => log.error({ err }, 'the store failed')
  const store = await openStore(config, { now, log, fail })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
