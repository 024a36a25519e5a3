import { EnvReader, type SettingsError } from '@einvoicing/runtime/env'
import { readBusConfig } from './config'

function read(env: NodeJS.ProcessEnv) {
  const reader = new EnvReader(env)
  const config = readBusConfig(reader)
  reader.throwErrors()
  return config
}

function findProblems(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(env)
  } catch (error) {
    return (error as SettingsError).messages
  }
  return []
}

const NATS_URL = 'nats://127.0.0.1:4222'

it('reads a server, or the members of a cluster', () => {
  expect(read({ NATS_URL })).toEqual({
    kind: 'nats',
    servers: [NATS_URL],
    tls: 'when offered',
    caFile: undefined,
    credentials: { kind: 'none' },
    replicas: 1,
  })
  const cluster = read({ NATS_URL: 'tls://a:4222,tls://b:4222', NATS_REPLICAS: '3' })
  expect(cluster).toMatchObject({
    servers: ['tls://a:4222', 'tls://b:4222'],
    tls: 'demanded',
    replicas: 3,
  })
})

it('requires TLS when an authority is set', () => {
  const config = read({ NATS_URL, NATS_CA_FILE: 'ca.pem' })
  expect(config).toMatchObject({ tls: 'demanded', caFile: 'ca.pem' })
})

it('reads a user, or a file of credentials', () => {
  expect(read({ NATS_URL, NATS_USER: 'u', NATS_PASSWORD_FILE: 'p' }).credentials).toEqual({
    kind: 'password',
    user: 'u',
    passwordFile: 'p',
  })
  expect(read({ NATS_URL, NATS_CREDENTIALS_FILE: 'c' }).credentials).toEqual({
    kind: 'file',
    file: 'c',
  })
})

it.each<[NodeJS.ProcessEnv, RegExp]>([
  [{}, /^NATS_URL is not set: .*nats:\/\//],
  [{ NATS_URL: 'http://here' }, /^NATS_URL must be a URL that begins with nats:\/\/ or tls:/],
  [{ NATS_URL: 'nats://me:secret@here' }, /^NATS_URL must not contain a user or password/],
  [{ NATS_URL, NATS_USER: 'u' }, /^NATS_USER and NATS_PASSWORD_FILE go together/],
  [{ NATS_URL, NATS_PASSWORD_FILE: 'p' }, /^NATS_USER and NATS_PASSWORD_FILE go together/],
  [
    { NATS_URL, NATS_CREDENTIALS_FILE: 'c', NATS_USER: 'u', NATS_PASSWORD_FILE: 'p' },
    /^NATS_CREDENTIALS_FILE takes the place/,
  ],
  [{ NATS_URL, NATS_REPLICAS: '6' }, /^NATS_REPLICAS must be an integer from 1 to 5/],
])('refuses %j in one sentence, without a secret', (env, sentence) => {
  const [problem, ...others] = findProblems(env)
  expect(problem).toMatch(sentence)
  expect(problem).not.toMatch(/secret/)
  expect(others).toEqual([])
})
