import { setTimeout as sleep } from 'node:timers/promises'

/** An attempt counts for no longer: a machine that was suspended meanwhile did no work either. */
const attemptMsMax = 10_000

/** Repeats the attempt until it succeeds; after the deadline throws its last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  withinMs = 45_000,
  pauseMs = 100,
): Promise<T> {
  let leftMs = withinMs
  for (;;) {
    const startedAtMs = performance.now()
    try {
      return await attempt()
    } catch (error) {
      if (leftMs <= 0) throw error
    }
    await sleep(pauseMs)
    leftMs -= Math.min(performance.now() - startedAtMs, attemptMsMax)
  }
}
