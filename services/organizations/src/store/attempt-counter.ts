import { createHash } from 'node:crypto'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'

export interface AttemptLimit {
  name: string
  windowMs: number
}

export interface Attempts {
  count: number
  waitMs: number
}

/** Each throws `SERVICE_UNAVAILABLE` when the store is unavailable. */
export interface AttemptCounter {
  count(key: string): Promise<Attempts>
  forgive(key: string): Promise<void>
}

/** The library has a limit of its own; ours are compared by the callers. */
export const uncounted = Number.MAX_SAFE_INTEGER

export function attemptCounter(
  limit: <T>(work: (limiter: RateLimiterAbstract) => Promise<T>) => Promise<T>,
): AttemptCounter {
  return {
    async count(key) {
      const counted = await limit((limiter) => limiter.penalty(storedKey(key), 1))
      return { count: counted.consumedPoints, waitMs: counted.msBeforeNext }
    },
    async forgive(key) {
      await limit((limiter) => limiter.reward(storedKey(key), 1))
    },
  }
}

/** Of equal length, and without the email. */
function storedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
