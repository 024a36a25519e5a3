/** Doubled for each further retry. */
const firstPauseMs = { rejected: 30_000, unavailable: 5_000 } as const
const longestPausesMs = { rejected: 6 * 60 * 60_000, unavailable: 5 * 60_000 } as const
export const longestPauseMs = longestPausesMs.rejected
/** In an outage: so that not always the same work is tried first. */
const outagePausesMs = { unreachable: 5_000, storesNothing: 60_000 } as const

const attemptsMax = {
  /** About a day: the archive answers, so the artefact itself is the problem. */
  rejected: 12,
  /** About a week: the cause may pass by itself. */
  unavailable: 2_000,
} as const

export type ArchiveOutage = keyof typeof outagePausesMs

interface Failed {
  outage: ArchiveOutage | undefined
  mayPass: boolean
  now: Date
}

export type NextAttempt =
  | { kind: 'later'; attempts: number; nextAttemptAt: string }
  | { kind: 'give-up'; attempts: number }

export function nextAttempt(failedBefore: number, { outage, mayPass, now }: Failed): NextAttempt {
  const cause = mayPass ? 'unavailable' : 'rejected'
  const attempts = outage ? failedBefore : failedBefore + 1
  if (!outage && attempts >= attemptsMax[cause]) return { kind: 'give-up', attempts }
  const doubledMs = Math.min(longestPausesMs[cause], firstPauseMs[cause] * 2 ** (attempts - 1))
  const pauseMs = outage ? outagePausesMs[outage] : doubledMs
  const nextAttemptAt = new Date(now.getTime() + pauseMs).toISOString()
  return { kind: 'later', attempts, nextAttemptAt }
}

const failingMax = 5
const quietMs = 30_000

/** For an archive that answers and stores nothing: its disk is full, or the key may not write. */
export function watchStoring(nowMs: () => number = () => performance.now()) {
  const failing = new Set<string>()
  let storedAtMs = -Infinity
  return {
    stored(): void {
      failing.clear()
      storedAtMs = nowMs()
    },
    isOutageAfter(position: string): boolean {
      if (failing.size < failingMax) failing.add(position)
      return failing.size >= failingMax && nowMs() - storedAtMs > quietMs
    },
  }
}
