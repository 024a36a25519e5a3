import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openTokenKeys } from '@einvoicing/access/token-keys'
import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import express from 'express'
import { readGatewayConfig } from './config'

const read = (env: NodeJS.ProcessEnv) => {
  const reader = new EnvReader(env)
  const config = readGatewayConfig(reader, '/data')
  reader.throwErrors()
  return config
}

it('has working defaults', () => {
  expect(read({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    requestsPerMinute: 300,
    rateLimit: { kind: 'memory' },
    trustProxy: undefined,
    maxConnections: 8192,
    bodyMemoryBytes: 128 * 1024 * 1024,
    sessionSecret: { file: '/data/gateway/session.secret', isOwn: true },
    verifySecret: { file: '/data/gateway/verify.secret', isOwn: true },
    environment: 'live',
  })
})

it.each([
  ['1', 1],
  ['loopback', ['loopback']],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY %s', (text, trustProxy) => {
  expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy)
})

it.each(['redis://cache:6379', 'rediss://user@[::1]:6380/2'])(
  'counts requests in Redis with REDIS_URL %s',
  (url) => {
    const passwordFile = '/run/secrets/redis'
    expect(read({ REDIS_URL: url, REDIS_PASSWORD_FILE: passwordFile }).rateLimit).toEqual({
      kind: 'redis',
      url,
      passwordFile,
    })
  },
)

it.each([
  [{ REDIS_PASSWORD_FILE: '/secret' }, /REDIS_URL is not: set both or neither/],
  [{ REDIS_URL: 'http://cache:6379' }, /REDIS_URL must be a URL that begins with redis:/],
  [{ REDIS_URL: 'redis://a:1,b:2' }, /REDIS_URL must name one server/],
  [{ REDIS_URL: 'redis://cache?enableOfflineQueue=true' }, /REDIS_URL must be redis:/],
  [{ REDIS_URL: 'redis://cache/queue' }, /REDIS_URL must be redis:/],
  [
    { REDIS_URL: 'redis://:hidden@cache' },
    /^REDIS_URL must not contain a password: .*REDIS_PASSWORD_FILE/,
  ],
])('rejects %j', (env, sentence) => {
  expect(() => read(env)).toThrow(sentence)
  expect(() => read(env)).not.toThrow('hidden')
})

it('reads the address for operations', () => {
  expect(read({}).operations).toBeUndefined()
  expect(read({ OPERATIONS_ADDRESS: '[::1]:9106' }).operations).toEqual({ host: '::1', port: 9106 })
  expect(() => read({ OPERATIONS_ADDRESS: '9106' })).toThrow(/OPERATIONS_ADDRESS must be an addr/)
})

it.each(['0.0.0.0/0', '::/0', '10.0.0.0/00', '10.0.0.0/33', '10.0.0.0%1', 'proxy.example'])(
  'rejects TRUST_PROXY %s, which the server would not start with',
  (text) => {
    expect(() => express().set('trust proxy', ['loopback', text])).toThrow(TypeError)
    expect(() => read({ TRUST_PROXY: `loopback, ${text}` })).toThrow(/^TRUST_PROXY must be/)
  },
)

it.each(['10.0.0.0/1', '::/1', '::ffff:10.0.0.1', 'fe80::1%eth0'])(
  'accepts TRUST_PROXY %s, as the server does',
  (text) => {
    expect(() => express().set('trust proxy', [text])).not.toThrow()
    expect(read({ TRUST_PROXY: text }).trustProxy).toEqual([text])
  },
)

it('reports all errors together', () => {
  const env = { PORT: '65536', RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '10.0.0.0/33' }
  expect(() => read(env)).toThrow(SettingsError)
  expect(() => read(env)).toThrow(/PORT[^]*RATE_LIMIT_PER_MINUTE[^]*TRUST_PROXY/)
})

describe('the session secret', () => {
  it('is created once, with private permissions', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-'))
    const config = { file: path.join(folder, 'gateway', 'session.secret'), isOwn: true }
    const keys = await openTokenKeys('SESSION_SECRET_FILE', config)
    expect(keys).toHaveLength(1)
    expect(keys[0].symmetricKeySize).toBe(43)
    expect((await openTokenKeys('SESSION_SECRET_FILE', config))[0].equals(keys[0])).toBe(true)
    expect((await stat(config.file)).mode & 0o777).toBe(0o600)
    expect(await readFile(config.file, 'utf8')).toBe(`${keys[0].export().toString()}\n`)
  })

  it('is not created where the operator names a file, and must be long', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-'))
    const file = path.join(folder, 'secret')
    await expect(openTokenKeys('SESSION_SECRET_FILE', { file, isOwn: false })).rejects.toThrow(
      /ENOENT/,
    )
    await writeFile(file, 'short')
    await expect(openTokenKeys('SESSION_SECRET_FILE', { file, isOwn: false })).rejects.toThrow(
      /at least 32/,
    )
  })

  it('may be several while it is renewed: the first signs', async () => {
    const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'gateway-')), 'secret')
    await writeFile(file, `${'n'.repeat(32)}\n${'o'.repeat(32)}\n`)
    const keys = await openTokenKeys('SESSION_SECRET_FILE', { file, isOwn: false })
    expect(keys.map((key) => key.export().toString().charAt(0))).toEqual(['n', 'o'])
  })
})
