/** Doubled for each further retry; the cause of `failed` may pass by itself. */
const firstPauseMs = { refused: 30_000, failed: 5_000 } as const
export const longestPauseMs = 6 * 60 * 60_000
/** In an outage: so that not always the same work is tried first. */
const outagePauseMs = 5_000

/** About a day: the archive answers, so the artefact itself is the problem. */
const rejectedAttemptsMax = 12
/** About a week: the cause may pass by itself. */
const failedMax = 40

interface Failed {
  isOutage: boolean
  mayPass: boolean
  now: Date
}

export type NextAttempt =
  | { kind: 'later'; attempts: number; nextAttemptAt: string }
  | { kind: 'give-up'; attempts: number }

export function nextAttempt(failedBefore: number, { isOutage, mayPass, now }: Failed): NextAttempt {
  const attempts = isOutage ? failedBefore : failedBefore + 1
  if (!isOutage && attempts >= (mayPass ? failedMax : rejectedAttemptsMax)) {
    return { kind: 'give-up', attempts }
  }
  const firstMs = firstPauseMs[mayPass ? 'failed' : 'refused']
  const pauseMs = isOutage ? outagePauseMs : Math.min(longestPauseMs, firstMs * 2 ** (attempts - 1))
  const nextAttemptAt = new Date(now.getTime() + pauseMs).toISOString()
  return { kind: 'later', attempts, nextAttemptAt }
}
