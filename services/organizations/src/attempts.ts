/**
 * Bounds on attempts: how often something may be tried in a window of time.
 *
 * Kept in memory: a restart forgives, and each process counts for itself.
 */

import type { Clock } from '@einvoicing/kernel/clock'
import { Refusal } from '@einvoicing/kernel/refusal'

export interface AttemptLimit {
  max: number
  windowMs: number
}

interface Window {
  count: number
  endsMs: number
}

/** Far more than the addresses that attack at once; a full memory must not be the attack. */
const keysMax = 100_000

export class Attempts {
  // A window begins with its first attempt and all are equally long, so the order of insertion is
  // that of expiry.
  private readonly windows = new Map<string, Window>()
  private readonly limit: AttemptLimit
  private readonly now: Clock

  constructor(limit: AttemptLimit, now: Clock) {
    this.limit = limit
    this.now = now
  }

  /** Seconds until another attempt is allowed; 0 when one is allowed now. */
  secondsToWait(key: string): number {
    const window = this.current(key)
    if (!window || window.count < this.limit.max) return 0
    return Math.ceil((window.endsMs - this.now().getTime()) / 1000)
  }

  count(key: string): void {
    const window = this.current(key)
    if (window) {
      window.count += 1
      return
    }
    this.makeRoom()
    this.windows.set(key, { count: 1, endsMs: this.now().getTime() + this.limit.windowMs })
  }

  /** Takes one attempt back: it was not what the limit is against. */
  forgive(key: string): void {
    const window = this.current(key)
    if (window) window.count -= 1
  }

  private current(key: string): Window | undefined {
    const window = this.windows.get(key)
    if (!window || window.endsMs > this.now().getTime()) return window
    this.windows.delete(key)
    return undefined
  }

  private makeRoom(): void {
    const nowMs = this.now().getTime()
    for (const [key, { endsMs }] of this.windows) {
      if (endsMs > nowMs && this.windows.size < keysMax) return
      this.windows.delete(key)
    }
  }
}

/** Throws `TOO_MANY_ATTEMPTS` with the longest wait, or counts one attempt in every limit. */
export function takeAttempt(limited: readonly (readonly [Attempts, string])[]): void {
  const seconds = Math.max(...limited.map(([attempts, key]) => attempts.secondsToWait(key)))
  if (seconds > 0) {
    throw new Refusal(
      'TOO_MANY_ATTEMPTS',
      `There were too many attempts. Try again in ${seconds} seconds.`,
      { retryAfterSeconds: seconds },
    )
  }
  for (const [attempts, key] of limited) attempts.count(key)
}
