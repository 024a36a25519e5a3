/**
 * Trying again what may be tried again: pauses that grow, with jitter, never shorter than
 * `Retry-After` asks, and an end.
 */

import { EinvoicingError } from './errors'

export interface Patience {
  /** Tries that may fail; being told to slow down is not failing. */
  attempts: number
  /** Epoch milliseconds after which nothing is begun. */
  giveUpAt: number
  signal?: AbortSignal | undefined
  /** Told before each pause, with what made it necessary. */
  onPause?: ((error: EinvoicingError, pauseMs: number) => void) | undefined
}

const firstPauseMs = 200
const longestPauseMs = 8_000
// A timer of more goes off at once.
const longestTimerMs = 2 ** 31 - 1

/** Throws what the last try threw; the reason of `signal` when it is aborted in between. */
export async function withPatience<T>(
  { attempts, giveUpAt, signal, onPause }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  let failures = 0
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof EinvoicingError) || !error.isTemporary) throw error
      if (error.status !== 429) failures += 1
      const pauseMs = pauseBefore(tries, error.retryAfterSeconds)
      // What would come too late is not waited for.
      if (failures >= attempts || Date.now() + pauseMs > giveUpAt) throw error
      onPause?.(error, pauseMs)
      await pause(pauseMs, signal)
    }
  }
}

/** Milliseconds before the next try, when `tries` were made. */
export function pauseBefore(tries: number, retryAfterSeconds = 0): number {
  const growing = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1))
  // Those who were told the same second should not all come in it.
  const askedFor = retryAfterSeconds * 1_000 * (1 + Math.random() / 20)
  return Math.max(askedFor, growing * (0.5 + Math.random() / 2))
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error)
      return
    }
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, Math.min(ms, longestTimerMs))
    signal?.addEventListener('abort', end)
  })
}

/**
 * Seconds a `Retry-After` asks for (RFC 9110, section 10.2.3: seconds or a date); `undefined` where
 * it says nothing sensible.
 */
export function readRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  // Date.parse takes much for a date, `-1` too.
  const at = value.trim().endsWith('GMT') ? Date.parse(value) : NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000))
}
