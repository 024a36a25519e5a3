import { createHash } from 'node:crypto'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'

export interface AttemptLimit {
  /** Of the counter, unlike every other. */
  name: string
  windowMs: number
}

export interface Attempts {
  /** In the window that is open, this one included. */
  count: number
  /** Until the window ends. */
  waitMs: number
}

/** Where the store cannot be asked, each throws `SERVICE_UNAVAILABLE`. */
export interface AttemptCounter {
  count(key: string): Promise<Attempts>
  /** Takes one attempt back: it was not what is counted. */
  forgive(key: string): Promise<void>
}

/** The library refuses by points; who counts here decides by the count. */
export const uncounted = Number.MAX_SAFE_INTEGER

/** `ask` says which limiter, and what its failures mean. */
export function attemptCounter(
  ask: <T>(work: (limiter: RateLimiterAbstract) => Promise<T>) => Promise<T>,
): AttemptCounter {
  return {
    async count(key) {
      const counted = await ask((limiter) => limiter.penalty(storedKey(key), 1))
      return { count: counted.consumedPoints, waitMs: counted.msBeforeNext }
    },
    async forgive(key) {
      await ask((limiter) => limiter.reward(storedKey(key), 1))
    },
  }
}

/** Of one length, and without an email in it. */
function storedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
