import path from 'node:path'
import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { readOrganizationsConfig } from './config'

it('has a working default for everything', () => {
  expect(readOrganizationsConfig(new EnvReader({}), 'data')).toEqual({
    store: { kind: 'sqlite', file: path.join('data', 'organizations.db') },
    signUp: 'open',
    sessionIdleMs: 30 * 60_000,
    factorSecret: { kind: 'own', file: path.join('data', 'organizations', 'second-factor.key') },
    mail: {
      transport: { kind: 'folder', folder: 'data/mail' },
      from: 'no-reply@localhost',
      publicUrl: 'http://127.0.0.1:8080',
    },
  })
})

it('reads its settings', () => {
  const env = new EnvReader({ SIGNUP: 'closed', API_KEY_PEPPER_FILE: '/run/secrets/pepper' })
  expect(readOrganizationsConfig(env, 'data')).toMatchObject({
    signUp: 'closed',
    apiKeyPepperFile: '/run/secrets/pepper',
  })
})

it('keeps organizations in MongoDB where there is one', () => {
  const MONGODB_URL = 'mongodb://a,b/?replicaSet=rs'
  expect(readOrganizationsConfig(new EnvReader({ MONGODB_URL }), 'data').store).toEqual({
    kind: 'mongodb',
    url: MONGODB_URL,
  })
})

it('requires a data folder or MongoDB', () => {
  const env = new EnvReader({})
  readOrganizationsConfig(env, undefined)
  expect(() => env.throwErrors()).toThrow(/^MONGODB_URL is not set: .*DATA_DIR/)
})

it('lets new organizations wait for an approval', () => {
  const env = new EnvReader({ SIGNUP: 'approval' })
  expect(readOrganizationsConfig(env, 'data').signUp).toBe('approval')
})

it('refuses a word for SIGNUP that it does not know', () => {
  const env = new EnvReader({ SIGNUP: 'no' })
  readOrganizationsConfig(env, 'data')
  expect(() => {
    env.throwErrors()
  }).toThrow(SettingsError)
})

it.each([
  ['0', 'SESSION_IDLE_MINUTES must be an integer from 1 to 720, not "0"'],
  ['721', 'SESSION_IDLE_MINUTES must be an integer from 1 to 720, not "721"'],
])('rejects a session without use of %s minutes', (minutes, message) => {
  const env = new EnvReader({ SESSION_IDLE_MINUTES: minutes })
  readOrganizationsConfig(env, 'data')
  expect(() => env.throwErrors()).toThrow(message)
})

it.each(['1', '720'])('accepts an idle time of %s minutes', (minutes) => {
  const env = new EnvReader({ SESSION_IDLE_MINUTES: minutes })
  expect(readOrganizationsConfig(env, 'data').sessionIdleMs).toBe(Number(minutes) * 60_000)
})
