import path from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'
import { readMailConfig, type MailConfig } from './mail/mail-config'
import type { FactorSecretConfig } from './second-factor/keys'
import { readMongoConfig, type MongoConfig } from '@einvoicing/stores/mongo-config'

/** `approval`: new organizations sign no invoices until an operator approved them. */
const signUps = ['open', 'approval', 'closed'] as const
export type SignUp = (typeof signUps)[number]

export interface OrganizationsConfig {
  store: StoreConfig
  mail: MailConfig
  signUp: SignUp
  sessionIdleMs: number
  apiKeyPepperFile?: string | undefined
  factorSecret: FactorSecretConfig
}

export type StoreConfig = { kind: 'sqlite'; file: string } | MongoConfig

export function readOrganizationsConfig(
  env: EnvReader,
  dataDir: string | undefined,
): OrganizationsConfig {
  return {
    store: readStoreConfig(env, dataDir),
    mail: readMailConfig(env, dataDir),
    signUp: env.oneOf('SIGNUP', signUps, 'open'),
    sessionIdleMs: env.integer('SESSION_IDLE_MINUTES', 30, { min: 1, max: 720 }) * 60_000,
    apiKeyPepperFile: env.secretFile('API_KEY_PEPPER_FILE'),
    factorSecret: readFactorSecretConfig(env, dataDir),
  }
}

function readFactorSecretConfig(env: EnvReader, dataDir: string | undefined): FactorSecretConfig {
  const file = env.secretFile('SECOND_FACTOR_KEY_FILE')
  if (file !== undefined) return { kind: 'given', file }
  if (dataDir === undefined) return { kind: 'store' }
  return { kind: 'own', file: path.join(dataDir, 'organizations', 'second-factor.key') }
}

function readStoreConfig(env: EnvReader, dataDir: string | undefined): StoreConfig {
  const mongo = readMongoConfig(env)
  if (mongo) return mongo
  if (dataDir !== undefined) return { kind: 'sqlite', file: path.join(dataDir, 'organizations.db') }
  return env.addError(
    'MONGODB_URL is not set: set it to the replica set that stores organizations, or set DATA_DIR to store them in a file there',
    { kind: 'sqlite', file: '' },
  )
}
