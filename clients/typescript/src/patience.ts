import { EinvoicingError } from './errors'

export interface Patience {
  /** Attempts that may fail; 429 is not a failure. */
  attempts: number
  /** Epoch milliseconds after which no attempt begins. */
  giveUpAt: number
  signal?: AbortSignal | undefined
  onPause?: ((error: EinvoicingError, pauseMs: number) => void) | undefined
}

const firstPauseMs = 200
const longestPauseMs = 8_000
export const longestTimerMs = 2 ** 31 - 1

/**
 * Throws the error of the last attempt, or of the one before if the end of the waiting time cut the
 * last one short; the reason of `signal` when it is aborted.
 */
export async function withPatience<T>(
  { attempts, giveUpAt, signal, onPause }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  let failures = 0
  let failure: EinvoicingError | undefined
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof EinvoicingError) || !error.isTemporary) throw error
      if (error.status !== 429) failures += 1
      const pauseMs = pauseBefore(tries, error.retryAfterSeconds)
      if (failures >= attempts) throw error
      if (Date.now() + pauseMs > giveUpAt)
        throw error.code === 'TIMED_OUT' ? (failure ?? error) : error
      failure = error
      onPause?.(error, pauseMs)
      await pause(pauseMs, signal)
    }
  }
}

/** Milliseconds before the next attempt, after `tries` of them. */
export function pauseBefore(tries: number, retryAfterSeconds = 0): number {
  const growing = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1))
  // Clients that got the same `Retry-After` must not all return in the same second.
  const requestedMs = retryAfterSeconds * 1_000 * (1 + Math.random() / 20)
  return Math.max(requestedMs, growing * (0.5 + Math.random() / 2))
}

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

/** In seconds (RFC 9110, section 10.2.3); `undefined` if invalid. */
export function readRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  // Date.parse accepts much that is not a date, such as `-1`.
  const at = value.trim().endsWith('GMT') ? Date.parse(value) : NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000))
}
