import fs from 'node:fs'
import path from 'node:path'
import {
  listArchiveDeadLetters,
  retryArchiveDeadLetters,
} from '@einvoicing/invoices/commands/archive-dead-letters'
import { readInvoicesConfig } from '@einvoicing/invoices/config'
import { openStore } from '@einvoicing/invoices/store/open-store'
import type { InvoiceStore } from '@einvoicing/invoices/store/store'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import type { Shell } from './shell'

/** One JSON object a line, with `--json` or without. */
export function list(shell: Shell): Promise<number> {
  return withStore(shell, async (store) => {
    let count = 0
    for await (const { position: _position, ...letter } of listArchiveDeadLetters(store)) {
      count += 1
      shell.print(JSON.stringify(letter), letter)
    }
    if (count === 0) shell.note('none')
    return 0
  })
}

/** Exit status 1 when a given id has no dead letter. */
export function retry(shell: Shell, ids: readonly string[]): Promise<number> {
  const isAll = ids.length === 1 && ids[0] === 'all'
  const unknown = new Set(isAll ? [] : ids)
  return withStore(shell, async (store) => {
    const retried = retryArchiveDeadLetters(store, ({ invoiceId }) => {
      unknown.delete(invoiceId)
      return isAll || ids.includes(invoiceId)
    })
    for await (const { invoiceId, part } of retried) {
      shell.print(`${invoiceId} ${part}: tried again`, { invoiceId, part, retried: true })
    }
    for (const id of unknown) shell.note(`${id} is not a dead letter`)
    return unknown.size === 0 ? 0 : 1
  })
}

async function withStore(
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
