/** An operator's command on accounts, beside a service that runs or not. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { v7 as newId } from 'uuid'
import { readOrganizationsConfig } from '../config'
import { openStore } from '../service'
import type { OrganizationStore } from '../store/store'
import { CommandError, runAccountsCommand } from './run'

async function main(): Promise<string> {
  const env = new EnvReader(process.env)
  const { store: config } = readOrganizationsConfig(
    env,
    path.resolve(env.text('DATA_DIR', './data')),
  )
  const publicUrl = env.optionalUrl('PUBLIC_URL', ['http', 'https']) ?? 'http://127.0.0.1:8080'
  env.throwErrors()
  let store: OrganizationStore | undefined
  try {
    return await runAccountsCommand(process.argv.slice(2), async () => {
      if (config.kind === 'sqlite' && !existsSync(config.file)) {
        throw new CommandError(
          `${config.file} is not there: set DATA_DIR to the folder of the service`,
        )
      }
      store = await openStore(config, createLog('warn', process.stderr))
      await store.check()
      return { store, now, randomBytes, newId, publicUrl }
    })
  } finally {
    await store?.close()
  }
}

main().then(
  (told) => {
    process.stdout.write(`${told}\n`)
  },
  (error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = error instanceof CommandError ? 1 : 2
  },
)
