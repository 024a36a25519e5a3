/**
 * While Redis is unavailable each gateway counts in memory: nothing is rejected because of it, and
 * no request waits longer than `answerMs`.
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

export type Quota = Required<Pick<IRateLimiterOptions, 'points' | 'duration'>>

export interface RedisLimiters {
  /** With the same names: a key is of one limiter only. */
  create(quota: Quota): RateLimiterAbstract
  probe: Probe
  close(): void
}

export interface RedisTimes {
  connectMs: number
  answerMs: number
  /** A connection without an answer for this long is closed and opened again. */
  silenceMs: number
}

export const redisTimes: RedisTimes = { connectMs: 1_000, answerMs: 200, silenceMs: 500 }

const reconnectMsMax = 1_000

const keyPrefix = 'einvoicing:requests'

/** Throws `SettingsError` if it can never work; retries in the background while unavailable. */
export async function openRedisLimiters(
  config: RateLimitConfig & { kind: 'redis' },
  log: Log,
  times = redisTimes,
): Promise<RedisLimiters> {
  const connection = new Connection(await createClient(config, times), log)
  try {
    await connection.open(2 * times.connectMs)
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    create: (quota) =>
      new RateLimiterRedis({
        ...quota,
        keyPrefix,
        storeClient: connection.client,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(quota),
      }),
    probe: { name: 'redis', essential: false, check: () => connection.check() },
    close: () => connection.close(),
  }
}

async function createClient(
  { url, passwordFile }: RateLimitConfig & { kind: 'redis' },
  { connectMs, answerMs, silenceMs }: RedisTimes,
): Promise<Redis> {
  const password = passwordFile && (await readSecretFile('REDIS_PASSWORD_FILE', passwordFile))
  return new Redis(url, {
    ...(password && { password }),
    lazyConnect: true,
    connectTimeout: connectMs,
    commandTimeout: answerMs,
    socketTimeout: silenceMs,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), reconnectMsMax),
    // Counted locally instead, at once.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
  })
}

/** Stores only the texts of the client's errors: their command may hold the password. */
class Connection {
  readonly client: Redis
  private readonly log: Log
  private readonly tried: RateLimiterRedis
  private reason = 'no answer yet'
  private opened = false
  private lastReported: string | undefined

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

  async open(withinMs: number): Promise<void> {
    const ready = once(this.client, 'ready', { signal: AbortSignal.timeout(withinMs) })
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

  /** Counts, as for a request: a server may be reachable and read-only. */
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
    if (!this.opened || sentence === this.lastReported) return
    this.lastReported = sentence
    this.log.warn({ reason }, `${sentence}; each gateway applies the rate limits on its own`)
  }

  private reportAvailable(): void {
    if (!this.opened) return
    this.lastReported = undefined
    this.log.info('connected to Redis: gateways share the rate limits')
  }
}

const permanentErrors: [RegExp, string][] = [
  [
    /^(WRONGPASS|NOAUTH|ERR invalid password)/,
    'rejected the user or password: check the user in REDIS_URL and REDIS_PASSWORD_FILE',
  ],
  [
    /^NOPERM/,
    `does not allow this user to count requests: grant it EVAL, EVALSHA, and read and write access to ${keyPrefix}:*`,
  ],
  [/^ERR DB index/, 'has no database with the number in REDIS_URL'],
  [/^Unknown RESP type/, 'does not speak the Redis protocol: correct the address in REDIS_URL'],
  [
    /certificate/,
    'has a certificate that is not trusted: set NODE_EXTRA_CA_CERTS to the certificate of its authority',
  ],
]

/** `undefined` for errors that may pass. */
function explainPermanentError(reason: string): string | undefined {
  const [, sentence] = permanentErrors.find(([pattern]) => pattern.test(reason)) ?? []
  return sentence && `REDIS_URL: the server ${sentence}`
}
