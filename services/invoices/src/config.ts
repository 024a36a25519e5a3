import path from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'
import { readMongoConfig, type MongoConfig } from '@einvoicing/stores/mongo-config'

export interface InvoicesConfig {
  store: MongoConfig | { kind: 'sqlite'; file: string }
}

export function readInvoicesConfig(env: EnvReader, dataDir: string | undefined): InvoicesConfig {
  const mongo = readMongoConfig(env)
  if (mongo) return { store: mongo }
  if (dataDir !== undefined) {
    return { store: { kind: 'sqlite', file: path.join(dataDir, 'invoices.db') } }
  }
  return env.addError(
    'MONGODB_URL is not set: set it to the MongoDB that stores invoices, or set DATA_DIR to store them there',
    { store: { kind: 'sqlite', file: '' } },
  )
}
