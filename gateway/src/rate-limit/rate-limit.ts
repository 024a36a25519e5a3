import type { ServerResponse } from 'node:http'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Probe } from '@einvoicing/rpc/readiness'
import { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import { Counter } from 'prom-client'
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { GatewayConfig } from '../config'
import type { RedisTimes } from './redis-limiter'

const windowSeconds = 60

const rejections = new Counter({
  name: 'einvoicing_rate_limit_refusals_total',
  help: 'Requests rejected because their API key, user or address had used its requests of the minute',
  registers: [metrics],
})

export interface Counted {
  kind: 'key' | 'user'
  id: string
}

export interface RateLimit {
  /** Sets the headers. Throws `API_KEY_RATE_LIMITED`, or `TOO_MANY_ATTEMPTS` for a user of the dashboard. */
  take(counted: Counted, response: ServerResponse): Promise<void>
  /** Throws `TOO_MANY_ATTEMPTS`. */
  takePage(network: string): Promise<void>
}

export interface OpenRateLimit extends RateLimit {
  probes: readonly Probe[]
  close(): void
}

/** A window of a minute begins with the first request. Throws `SettingsError`. */
export async function openRateLimit(
  { rateLimit, requestsPerMinute }: Pick<GatewayConfig, 'rateLimit' | 'requestsPerMinute'>,
  log: Log,
  times?: RedisTimes,
): Promise<OpenRateLimit> {
  const quota = { points: requestsPerMinute, duration: windowSeconds }
  const pageQuota = { points: limits.pageRequestsPerMinute, duration: windowSeconds }
  if (rateLimit.kind === 'memory') {
    const limiters = [new RateLimiterMemory(quota), new RateLimiterMemory(pageQuota)] as const
    return { ...createRateLimit(...limiters), probes: [], close: () => undefined }
  }
  const { openRedisLimiters } = await import('@einvoicing/gateway/rate-limit/redis-limiter')
  const redis = await openRedisLimiters(rateLimit, log, times)
  const limiters = [redis.create(quota), redis.create(pageQuota)] as const
  return { ...createRateLimit(...limiters), probes: [redis.probe], close: () => redis.close() }
}

function createRateLimit(limiter: RateLimiterAbstract, pages: RateLimiterAbstract): RateLimit {
  const quota = limiter.points
  const policy = `"default";q=${quota};w=${windowSeconds}`
  return {
    async take({ kind, id }, response) {
      // In Redis users have the form that sessions had: decision 0146.
      const usage = await consume(limiter, kind === 'key' ? id : `session:${id}`)
      // The request may have been answered already, if bytes after it were not HTTP.
      if (!response.headersSent) {
        // draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4.
        response.setHeader('RateLimit-Policy', policy)
        response.setHeader('RateLimit', `"default";r=${usage.remaining};t=${usage.resetSeconds}`)
      }
      if (usage.exceeded) {
        rejections.inc()
        throw rateLimited(kind, quota, usage.resetSeconds)
      }
    },
    async takePage(network) {
      const { exceeded, resetSeconds } = await consume(pages, `page:${network}`)
      if (!exceeded) return
      rejections.inc()
      throw new ApiError(
        'TOO_MANY_ATTEMPTS',
        `Your network has requested ${pages.points} pages in a minute. Try again in ${resetSeconds} seconds.`,
        { retryAfterSeconds: resetSeconds },
      )
    },
  }
}

interface Usage {
  remaining: number
  /** Until the window ends, at least 1. */
  resetSeconds: number
  exceeded: boolean
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<Usage> {
  try {
    return toUsage(await limiter.consume(key), false)
  } catch (thrown) {
    // The library throws its result when the limit is reached, and an error when it failed.
    if (thrown instanceof RateLimiterRes) return toUsage(thrown, true)
    throw thrown
  }
}

function toUsage({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Usage {
  return {
    remaining: remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    exceeded,
  }
}

export function rateLimited(
  kind: Counted['kind'],
  quota: number,
  retryAfterSeconds: number,
): ApiError {
  return new ApiError(
    kind === 'key' ? 'API_KEY_RATE_LIMITED' : 'TOO_MANY_ATTEMPTS',
    `${kind === 'key' ? 'This API key has reached its' : 'Your sessions have together reached their'} limit of ${quota} requests per minute. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}
