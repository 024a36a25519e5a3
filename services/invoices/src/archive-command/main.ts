/** An operator's command on the store of invoices, whichever way the service runs. */

import fs from 'node:fs'
import path from 'node:path'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { readInvoicesConfig } from '../config'
import { openStore } from '../store/open-store'
import type { InvoiceStore } from '../store/store'
import { runArchiveCommand } from './dead-letters'

async function main(): Promise<number> {
  let store: InvoiceStore | undefined
  try {
    return await runArchiveCommand(process.argv.slice(2), async () => {
      const env = new EnvReader(process.env)
      const config = readInvoicesConfig(env, path.resolve(env.text('DATA_DIR', './data')))
      env.throwErrors()
      if (config.store.kind === 'sqlite' && !fs.existsSync(config.store.file)) {
        throw new Error(`${config.store.file} does not exist: set DATA_DIR or MONGODB_URL`)
      }
      const log = createLog('warn', process.stderr)
      // What the command was doing is rejected, and ends it.
      const fail = (err: Error) => log.error({ err }, 'a part of the store is broken')
      return (store = await openStore(config, { now, log, fail }))
    })
  } finally {
    await store?.close()
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  },
)
