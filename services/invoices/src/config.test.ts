import { EnvReader } from '@einvoicing/runtime/env'
import { readInvoicesConfig } from './config'

const read = (settings: Record<string, string>, dataDir?: string) => {
  const env = new EnvReader(settings)
  const config = readInvoicesConfig(env, dataDir)
  env.throwErrors()
  return config
}

it('keeps invoices in the data folder, unless MongoDB is named', () => {
  const url = 'mongodb://db.example/?replicaSet=rs0'
  expect(read({}, '/data').store).toEqual({ kind: 'sqlite', file: '/data/invoices.db' })
  expect(read({ MONGODB_URL: url }, '/data').store).toMatchObject({ kind: 'mongodb', url })
})

it('has no fallback store when neither setting is complete', () => {
  expect(() => read({})).toThrow(/^MONGODB_URL is not set: .* or set DATA_DIR/)
  expect(() => read({ MONGODB_PASSWORD_FILE: 'f' }, '/data')).toThrow(/MONGODB_PASSWORD_FILE/)
  expect(() => read({ MONGODB_URL: 'redis://db.example' }, '/data')).toThrow(/must be a URL/)
})
