/**
 * Counts requests in a server that speaks the Redis protocol (Valkey, Redis), so that several
 * gateways share one count.
 *
 * While it is unavailable each gateway counts in its own memory: nothing is refused for its
 * absence, and
 * nothing waits for it longer than `answerMs`, nor at all once its connection is found dead.
 */

import { once } from 'node:events'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import type { Probe } from '@einvoicing/rpc/readiness'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import { Redis } from 'ioredis'
import {
  RateLimiterMemory,
  RateLimiterRedis,
  type IRateLimiterOptions,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import type { RateLimitConfig } from './config'

export interface RedisLimiter {
  limiter: RateLimiterAbstract
  probe: Probe
  close(): void
}

const connectMs = 1_000
const answerMs = 200
// A connection on which an answer is awaited and nothing comes is given up, and made again.
const silenceMs = 500
const reconnectMsMax = 1_000

const keyPrefix = 'einvoicing:requests'

/**
 * Throws `SettingsError` where it can never work: a wrong password, another protocol. A server that
 * is unavailable is waited for in the background.
 */
export async function openRedisLimiter(
  config: RateLimitConfig & { kind: 'redis' },
  quota: Required<Pick<IRateLimiterOptions, 'points' | 'duration'>>,
  log: Log,
): Promise<RedisLimiter> {
  const connection = new Connection(await createClient(config), log)
  try {
    await connection.open()
  } catch (error) {
    connection.close()
    throw error
  }
  const limiter = new RateLimiterRedis({
    ...quota,
    keyPrefix,
    storeClient: connection.client,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(quota),
  })
  return {
    limiter,
    probe: { name: 'redis', essential: false, check: () => connection.check() },
    close: () => connection.close(),
  }
}

async function createClient({
  url,
  passwordFile,
}: RateLimitConfig & { kind: 'redis' }): Promise<Redis> {
  const password = passwordFile && (await readSecretFile('REDIS_PASSWORD_FILE', passwordFile))
  return new Redis(url, {
    ...(password && { password }),
    lazyConnect: true,
    connectTimeout: connectMs,
    commandTimeout: answerMs,
    socketTimeout: silenceMs,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), reconnectMsMax),
    // What cannot be counted there now is counted here now, not later.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
  })
}

/** Of the client's errors only texts are kept: the command in them may hold the password. */
class Connection {
  readonly client: Redis
  private readonly log: Log
  private readonly tried: RateLimiterRedis
  private reason = 'no answer yet'
  private opened = false
  private told: string | undefined

  constructor(client: Redis, log: Log) {
    this.client = client
    this.log = log
    this.tried = new RateLimiterRedis({
      points: Number.MAX_SAFE_INTEGER,
      duration: 60,
      keyPrefix,
      storeClient: client,
    })
    client.on('error', ({ message }: Error) => this.reportUnavailable(message))
    client.on('ready', () => this.reportAvailable())
  }

  async open(): Promise<void> {
    const ready = once(this.client, 'ready', { signal: AbortSignal.timeout(2 * connectMs) })
    this.client.connect().catch(() => undefined)
    try {
      await ready
      await this.check()
    } catch {
      const sentence = explainPermanentError(this.reason)
      if (sentence !== undefined) throw new SettingsError([sentence])
    }
    this.opened = true
    if (this.client.status === 'ready') this.reportAvailable()
    else this.reportUnavailable(this.reason)
  }

  /** Counts, as for a request: a server may be there and yet let no one write. */
  async check(): Promise<void> {
    try {
      if (this.client.status !== 'ready') throw new Error(this.reason)
      await this.tried.consume('readiness')
    } catch (error) {
      this.reason = (error as Error).message
      const sentence = explainPermanentError(this.reason)
      throw sentence === undefined ? new Error(this.reason) : new SettingsError([sentence])
    }
  }

  close(): void {
    this.client.disconnect()
  }

  private reportUnavailable(reason: string): void {
    this.reason = reason
    const sentence = explainPermanentError(reason) ?? 'Redis unreachable'
    if (!this.opened || sentence === this.told) return
    this.told = sentence
    this.log.warn({ reason }, `${sentence}; requests are counted by each gateway for itself`)
  }

  private reportAvailable(): void {
    if (!this.opened) return
    this.told = undefined
    this.log.info('requests are counted in Redis')
  }
}

const permanentErrors: [RegExp, string][] = [
  [
    /^(WRONGPASS|NOAUTH|ERR invalid password)/,
    'refuses the password or the user: set REDIS_PASSWORD_FILE, and the user in REDIS_URL, as it knows them',
  ],
  [
    /^NOPERM/,
    `does not let this user count: grant it EVAL, EVALSHA, reading and writing of ${keyPrefix}:*`,
  ],
  [/^ERR DB index/, 'has no database of the number in REDIS_URL'],
  [/^Unknown RESP type/, 'does not speak the Redis protocol: correct the address in REDIS_URL'],
  [
    /certificate/,
    'shows a certificate that is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
  ],
]

/** For what a person must fix; `undefined` for what may pass by itself. */
function explainPermanentError(reason: string): string | undefined {
  const [, sentence] = permanentErrors.find(([pattern]) => pattern.test(reason)) ?? []
  return sentence && `REDIS_URL: the server ${sentence}`
}
