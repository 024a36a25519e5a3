/**
 * How many requests one API key, or one session of the dashboard, may make in a minute, and what
 * every answer says about it.
 */

import type { ServerResponse } from 'node:http'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Probe } from '@einvoicing/rpc/readiness'
import { ApiError } from '@einvoicing/domain/api-error'
import { Counter } from 'prom-client'
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { GatewayConfig } from '../config'

const windowSeconds = 60

const apiErrors = new Counter({
  name: 'einvoicing_rate_limit_refusals_total',
  help: 'Requests refused because their API key or session had made its requests of the minute',
  registers: [metrics],
})

export interface Counted {
  kind: 'key' | 'session'
  id: string
}

export interface RateLimit {
  /**
   * Counts one request and tells the answer's headers; past the limit throws
   * `API_KEY_RATE_LIMITED`, or `TOO_MANY_ATTEMPTS` for a session.
   */
  take(counted: Counted, response: ServerResponse): Promise<void>
}

export interface OpenRateLimit extends RateLimit {
  /** What it counts with, to be asked whether it is there. */
  probes: readonly Probe[]
  close(): void
}

/**
 * A window begins with a key's first request and lasts a minute. Throws `SettingsError` where the
 * server that should count never will.
 */
export async function openRateLimit(
  { rateLimit, requestsPerMinute }: Pick<GatewayConfig, 'rateLimit' | 'requestsPerMinute'>,
  log: Log,
): Promise<OpenRateLimit> {
  const quota = { points: requestsPerMinute, duration: windowSeconds }
  if (rateLimit.kind === 'memory') {
    return { ...createRateLimit(new RateLimiterMemory(quota)), probes: [], close: () => undefined }
  }
  const { openRedisLimiter } = await import('@einvoicing/gateway/rate-limit/redis-limiter')
  const redis = await openRedisLimiter(rateLimit, quota, log)
  return { ...createRateLimit(redis.limiter), probes: [redis.probe], close: () => redis.close() }
}

function createRateLimit(limiter: RateLimiterAbstract): RateLimit {
  const quota = limiter.points
  const policy = `"default";q=${quota};w=${windowSeconds}`
  return {
    async take({ kind, id }, response) {
      const taken = await consume(limiter, kind === 'key' ? id : `session:${id}`)
      // What came behind the request may have been no HTTP, and have been answered meanwhile.
      if (!response.headersSent) {
        // draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4.
        response.setHeader('RateLimit-Policy', policy)
        response.setHeader('RateLimit', `"default";r=${taken.remaining};t=${taken.resetSeconds}`)
      }
      if (taken.refused) {
        apiErrors.inc()
        throw rateLimited(kind, quota, taken.resetSeconds)
      }
    },
  }
}

interface Taken {
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
  refused: boolean
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<Taken> {
  try {
    return toTaken(await limiter.consume(key), false)
  } catch (thrown) {
    // The library throws its result where the points are used up, and an error where it failed.
    if (thrown instanceof RateLimiterRes) return toTaken(thrown, true)
    throw thrown
  }
}

function toTaken({ remainingPoints, msBeforeNext }: RateLimiterRes, refused: boolean): Taken {
  return {
    remaining: remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    refused,
  }
}

export function rateLimited(
  kind: Counted['kind'],
  quota: number,
  retryAfterSeconds: number,
): ApiError {
  return new ApiError(
    kind === 'key' ? 'API_KEY_RATE_LIMITED' : 'TOO_MANY_ATTEMPTS',
    `This ${kind === 'key' ? 'API key' : 'session'} has reached its limit of ${quota} requests per minute. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}
