import { existsSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from '@einvoicing/organizations/commands/account-command'
import { readOrganizationsConfig, type OrganizationsConfig } from '@einvoicing/organizations/config'
import { openStore } from '@einvoicing/organizations/store/open-store'
import type { OrganizationStore } from '@einvoicing/organizations/store/store'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import type { Shell } from './shell'

export async function withOrganizationStore<T>(
  shell: Shell,
  work: (store: OrganizationStore, config: OrganizationsConfig) => Promise<T>,
): Promise<T> {
  const env = new EnvReader(shell.environment)
  const isOnMongo = env.optionalText('MONGODB_URL') !== undefined
  // Services on MongoDB have no folder for mail: no process would send what is queued.
  const dataDir = env.optionalText('DATA_DIR') ?? (isOnMongo ? undefined : './data')
  const config = readOrganizationsConfig(env, dataDir && path.resolve(dataDir))
  env.throwErrors()
  const { store: place } = config
  if (place.kind === 'sqlite' && !existsSync(place.file)) {
    throw new CommandError(`${place.file} does not exist: set DATA_DIR or MONGODB_URL`)
  }
  const store = await openStore(place, createLog('warn', process.stderr))
  try {
    await store.check()
    return await work(store, config)
  } finally {
    await store.close()
  }
}
