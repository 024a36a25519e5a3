/** When a piece of archive work that failed is tried again, and when no more. */

/** Between attempts, doubled each time: after an error, and after what may pass soon. */
const firstPauseMs = { refused: 30_000, failed: 5_000 } as const
export const longestPauseMs = 6 * 60 * 60_000
/** In an outage, so that what was tried first is not tried first again. */
const outagePauseMs = 5_000

/** A day, nearly: the archive has answered, and refused this piece each time. */
const refusedMax = 12
/** A week: what failed may pass by itself. */
const failedMax = 40

interface Failed {
  /** The archive does not answer at all: no attempt of this piece. */
  isOutage: boolean
  /** Not an error of this piece as such: it may go well later. */
  mayPass: boolean
  now: Date
}

export type NextAttempt =
  { kind: 'later'; attempts: number; nextAttemptAt: string } | { kind: 'give-up'; attempts: number }

export function nextAttempt(failedBefore: number, { isOutage, mayPass, now }: Failed): NextAttempt {
  const attempts = isOutage ? failedBefore : failedBefore + 1
  if (!isOutage && attempts >= (mayPass ? failedMax : refusedMax)) {
    return { kind: 'give-up', attempts }
  }
  const firstMs = firstPauseMs[mayPass ? 'failed' : 'refused']
  const pauseMs = isOutage ? outagePauseMs : Math.min(longestPauseMs, firstMs * 2 ** (attempts - 1))
  const nextAttemptAt = new Date(now.getTime() + pauseMs).toISOString()
  return { kind: 'later', attempts, nextAttemptAt }
}
