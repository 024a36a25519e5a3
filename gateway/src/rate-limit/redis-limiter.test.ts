import http, { type ServerResponse } from 'node:http'
import { mkdtemp, writeFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { within } from '@einvoicing/runtime/deadline'
import { SettingsError } from '@einvoicing/runtime/env'
import { createLog, type Log } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startRedis, type Redis } from '@einvoicing/servers/redis'
import { openRateLimit, type OpenRateLimit } from './rate-limit'
import { redisTimes, type RedisTimes } from './redis-limiter'
import type { Gateway } from '../service'
import { fetchFrom, openForTest } from '../testdata/open-gateway'

const silent = createLog('silent')
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close()
})

/** On a busy machine an answer may be late, and the request be counted by its gateway alone. */
const patient: RedisTimes = { connectMs: 30_000, answerMs: 30_000, silenceMs: 30_000 }

interface OpenOptions {
  passwordFile?: string | undefined
  log?: Log
  times?: RedisTimes
}

async function open(
  url: string,
  { passwordFile, log = silent, times = patient }: OpenOptions = {},
): Promise<OpenRateLimit> {
  const rateLimit = { kind: 'redis', url, passwordFile } as const
  const limit = await openRateLimit({ rateLimit, requestsPerMinute: 300 }, log, times)
  opened.push(limit)
  return limit
}

const noServerAnswers = { setHeader: () => undefined } as unknown as ServerResponse

/** How many of so many requests are let through, and how long the slowest waited. */
async function countAllowed(requests: number, limits: OpenRateLimit[], key: string) {
  let allowed = 0
  let slowestMs = 0
  const takeOne = async (index: number) => {
    const startedMs = performance.now()
    const taken = limits[index % limits.length]?.take({ kind: 'key', id: key }, noServerAnswers)
    await taken?.then(
      () => (allowed += 1),
      (error: unknown) => expect(error).toMatchObject({ code: 'API_KEY_RATE_LIMITED' }),
    )
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
  }
  await Promise.all(Array.from({ length: requests }, (_, index) => takeOne(index)))
  return { allowed, slowestMs }
}

const away = (limit: OpenRateLimit) =>
  limit.probes[0]?.check({} as never).then(
    () => '',
    (error: unknown) => (error as Error).message,
  )

/** A pause of this process delays the timers of the limiters and this one alike. */
const withoutWait = <T>(work: Promise<T>): Promise<T> =>
  within(5_000, work, () => new Error('waited for Redis'))

async function until(reached: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!(await reached())) {
    if (Date.now() > giveUpAt) throw new Error('not reached in time')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function untilTogether(both: OpenRateLimit[], key: string): Promise<void> {
  let round = 0
  await until(async () => (await countAllowed(700, both, `${key}-${round++}`)).allowed === 300)
}

describeWithOwn('redis-server', 'requests counted in Redis', () => {
  let redis: Redis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.dispose())

  it('for pages are limited to 30 for one address, for two gateways together', async () => {
    const both = [await open(redis.url), await open(redis.url)]
    const allowedPages = async (network: string) => {
      const take = async (index: number) => both[index % 2]?.takePage(network)
      const pages = Array.from({ length: 60 }, (_, index) => take(index))
      const results = await Promise.allSettled(pages)
      return results.filter(({ status }) => status === 'fulfilled').length
    }
    expect(await allowedPages('203.0.113.1')).toBe(30)
    await expect(both[1]?.takePage('203.0.113.1')).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      message: expect.stringContaining('requested 30 pages in a minute. Try again in'),
    })
  })

  it('are limited to 300 for two gateways together', async () => {
    const both = [await open(redis.url), await open(redis.url)]
    expect((await countAllowed(700, both, 'shared')).allowed).toBe(300)
    expect((await countAllowed(10, both, 'another')).allowed).toBe(10)
  })

  it('are limited for all gateways together, over HTTP', async () => {
    const env = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '4' }
    const times = { redisTimes: patient }
    const gateways = [await openForTest(env, times), await openForTest(env, times)] as const
    opened.push(...gateways)
    const takeInTurn = async (index: number) => {
      const { status, headers } = await fetchFrom(gateways[index % 2] as Gateway, '/v1/invoices')
      return [status, headers.get('ratelimit')?.split(';')[1], headers.get('ratelimit-policy')]
    }
    const answers: unknown[] = []
    for (let index = 0; index < 6; index += 1) answers.push(await takeInTurn(index))
    const policy = '"default";q=4;w=60'
    const reported = ['r=3', 'r=2', 'r=1', 'r=0'].map((rest) => [200, rest, policy])
    expect(answers).toEqual([...reported, [429, 'r=0', policy], [429, 'r=0', policy]])
    const { headers } = await fetchFrom(gateways[0], '/v1/invoices')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await fetchFrom(gateways[1], '/readyz')).body.data).toMatchObject({
      status: 'ready',
      dependencies: { redis: 'ok' },
    })
  })

  it.each([
    ['killed', (server: Redis) => server.kill9(), (server: Redis) => server.start()],
    ['paused', (server: Redis) => server.pause(), (server: Redis) => server.resume()],
  ])('are counted by each gateway while it is %s, without a wait', async (how, hurt, heal) => {
    const times = redisTimes
    const both = [await open(redis.url, { times }), await open(redis.url, { times })]
    await hurt(redis)
    expect((await withoutWait(countAllowed(20, both, `first-${how}`))).allowed).toBe(20)
    await until(async () => (await countAllowed(2, both, `while-${how}`)).slowestMs < 100)
    expect((await countAllowed(800, both, `many-${how}`)).allowed).toBe(600)
    expect(await away(both[0] as OpenRateLimit)).not.toBe('')
    await heal(redis)
    for (const limit of both) await until(async () => (await away(limit)) === '')
    await untilTogether(both, how)
  })

  it('the gateway stays ready while it is unavailable, and reports it', async () => {
    const gateway = await openForTest({ REDIS_URL: redis.url })
    opened.push(gateway)
    await redis.kill9()
    const { status, body } = await fetchFrom(gateway, '/readyz')
    expect([status, body.data]).toMatchObject([
      200,
      { status: 'degraded', dependencies: { redis: 'is not available' } },
    ])
    expect((await fetchFrom(gateway, '/v1/invoices')).status).toBe(200)
    await redis.start()
    await until(async () =>
      JSON.stringify((await fetchFrom(gateway, '/readyz')).body).includes('"ready"'),
    )
  })

  it('are counted in Redis once it is available, after a start without it', async () => {
    await redis.kill9()
    const limit = await open(redis.url)
    expect((await countAllowed(310, [limit], 'early')).allowed).toBe(300)
    await redis.start()
    await until(async () => (await away(limit)) === '')
    expect((await countAllowed(310, [limit, await open(redis.url)], 'later')).allowed).toBe(300)
  })

  it('are counted locally when the server is read-only', async () => {
    const limit = await open(redis.url)
    await sendCommand(redis.url, 'CONFIG SET min-replicas-to-write 1\r\n')
    expect(await away(limit)).toMatch(/NOREPLICAS/)
    expect((await countAllowed(310, [limit], 'unwritable')).allowed).toBe(300)
    await sendCommand(redis.url, 'CONFIG SET min-replicas-to-write 0\r\n')
    expect(await away(limit)).toBe('')
  })
})

describeWithOwn('redis-server', 'a Redis with a password', () => {
  const password = 'it is a secret'
  let redis: Redis
  let folder: string
  beforeAll(async () => {
    redis = await startRedis({ password: 'it-is-a-secret' })
    folder = await mkdtemp(path.join(os.tmpdir(), 'redis-password-'))
  })
  afterAll(() => redis.dispose())

  const makeFile = async (text: string) => {
    const file = path.join(folder, `password-${text.length}`)
    await writeFile(file, `${text}\n`)
    return file
  }

  it('is opened by the password in a file', async () => {
    const limit = await open(redis.url, { passwordFile: await makeFile('it-is-a-secret') })
    expect(await away(limit)).toBe('')
  })

  it.each([password, undefined])('refuses to start with another: %p', async (wrong) => {
    const opening = open(redis.url, { passwordFile: wrong && (await makeFile(wrong)) })
    await expect(opening).rejects.toThrow(SettingsError)
    await expect(opening).rejects.toThrow(
      /^REDIS_URL: the server rejected the user or password: .*REDIS_PASSWORD_FILE/,
    )
    await expect(opening).rejects.not.toThrow(password)
  })

  it('says in the log and in its check, without the password, that it was changed', async () => {
    let logged = ''
    const log = createLog('trace', { write: (line) => (logged += line) })
    const limit = await open(redis.url, { passwordFile: await makeFile('it-is-a-secret'), log })
    await redis.kill9()
    const changed = await startRedis({ password: 'changed', port: Number(new URL(redis.url).port) })
    await until(async () => /REDIS_PASSWORD_FILE/.test((await away(limit)) ?? ''))
    expect((await countAllowed(310, [limit], 'key')).allowed).toBe(300)
    expect(logged).toMatch(/rejected the user or password/)
    expect(logged).not.toMatch(/it-is-a-secret/)
    expect(logged.split('\n').length).toBeLessThan(6)
    await changed.dispose()
    await redis.start()
    await until(async () => (await away(limit)) === '')
  })
})

describe('a server that is not Redis', () => {
  const listen = async (server: net.Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened.push(server)
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('is refused at the start when it speaks another protocol', async () => {
    const url = await listen(http.createServer((_, response) => response.end('hello')))
    await expect(open(url)).rejects.toThrow(
      /REDIS_URL: the server does not speak the Redis protocol/,
    )
  })

  it('does not delay the start or a request when it does not answer', async () => {
    const url = await listen(net.createServer())
    const limit = await open(url, { times: redisTimes })
    const { allowed } = await withoutWait(countAllowed(310, [limit], 'key'))
    expect(allowed).toBe(300)
  })
})

/** One command in Redis's own words. */
function sendCommand(url: string, command: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(command))
    socket.once('data', () => resolve(void socket.destroy()))
  })
}
