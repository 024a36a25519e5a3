import type { Log } from '@einvoicing/runtime/log'
import type { StoreConfig } from '../config'
import type { OrganizationStore } from './store'

export async function openStore(config: StoreConfig, log: Log): Promise<OrganizationStore> {
  if (config.kind === 'sqlite') {
    const { openSqliteStore } = await import('@einvoicing/organizations/store/sqlite/sqlite-store')
    return openSqliteStore(config.file)
  }
  const { openMongoStore } = await import('@einvoicing/organizations/store/mongo/mongo-store')
  return openMongoStore(config, log)
}
