import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { EnvReader, SettingsError } from '@einvoicing/kernel/env'
import { readGatewayConfig } from './config'
import { openSessionSecret } from './dashboard/session-secret'

const read = (env: NodeJS.ProcessEnv) => {
  const reader = new EnvReader(env)
  const config = readGatewayConfig(reader, '/data')
  reader.settle()
  return config
}

it('has working defaults', () => {
  expect(read({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    requestsPerMinute: 300,
    rateLimit: { kind: 'memory' },
    trustProxy: undefined,
    sessionSecret: { kind: 'own', file: '/data/gateway/session.secret' },
  })
})

it.each([
  ['1', 1],
  ['loopback', ['loopback']],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY %s', (text, trustProxy) => {
  expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy)
})

it.each(['redis://cache:6379', 'rediss://user@[::1]:6380/2'])('counts in REDIS_URL %s', (url) => {
  const passwordFile = '/run/secrets/redis'
  expect(read({ REDIS_URL: url, REDIS_PASSWORD_FILE: passwordFile }).rateLimit).toEqual({
    kind: 'redis',
    url,
    passwordFile,
  })
})

it.each([
  [{ REDIS_PASSWORD_FILE: '/secret' }, /REDIS_URL is not: set both or neither/],
  [{ REDIS_URL: 'http://cache:6379' }, /REDIS_URL must be a URL that begins with redis:/],
  [{ REDIS_URL: 'redis://a:1,b:2' }, /REDIS_URL must name one server/],
  [{ REDIS_URL: 'redis://cache?enableOfflineQueue=true' }, /REDIS_URL must read/],
  [{ REDIS_URL: 'redis://cache/queue' }, /REDIS_URL must read/],
  [{ REDIS_URL: 'redis://:hidden@cache', REDIS_PASSWORD_FILE: '/s' }, /keep the file alone/],
])('refuses %j', (env, sentence) => {
  expect(() => read(env)).toThrow(sentence)
  expect(() => read(env)).not.toThrow('hidden')
})

it('tells all faults together', () => {
  const env = { PORT: '65536', RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '10.0.0.0/33' }
  expect(() => read(env)).toThrow(SettingsError)
  expect(() => read(env)).toThrow(/PORT[^]*RATE_LIMIT_PER_MINUTE[^]*TRUST_PROXY/)
})

describe('the session secret', () => {
  it('is made once, for our eyes only', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-'))
    const config = { kind: 'own', file: path.join(folder, 'gateway', 'session.secret') } as const
    const secret = await openSessionSecret(config)
    expect(secret.length).toBeGreaterThanOrEqual(43)
    expect(await openSessionSecret(config)).toBe(secret)
    expect((await stat(config.file)).mode & 0o777).toBe(0o600)
    expect(await readFile(config.file, 'utf8')).toBe(`${secret}\n`)
  })

  it("is never made in the operator's place, and must be long", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-'))
    const file = path.join(folder, 'secret')
    await expect(openSessionSecret({ kind: 'given', file })).rejects.toThrow(/ENOENT/)
    await writeFile(file, 'short')
    await expect(openSessionSecret({ kind: 'given', file })).rejects.toThrow(/at least 32/)
  })
})
