/**
 * How long to wait before the next attempt. Waits grow with the age of what is waited for, so they
 * need no count, and carry jitter, so that invoices that failed together do not come back together.
 */

export interface Pace {
  pollMinMs: number
  /**
   * For submissions younger than `youngMs`; older ones have been forgotten by the platform or wait
   * for a person there.
   */
  pollMaxMs: number
  oldPollMaxMs: number
  youngMs: number
  retryMinMs: number
  retryMaxMs: number
  /** Over how long those come back that the guard held together. */
  heldSpreadMs: number
}

export const defaultPace: Pace = {
  pollMinMs: 250,
  pollMaxMs: 30_000,
  oldPollMaxMs: 300_000,
  youngMs: 3_600_000,
  retryMinMs: 1_000,
  retryMaxMs: 30_000,
  heldSpreadMs: 2_000,
}

/** Until the decision is asked for again. `random` in [0, 1). */
export function pollWaitMs(pace: Pace, ageMs: number, random: number): number {
  const maxMs = ageMs < pace.youngMs ? pace.pollMaxMs : pace.oldPollMaxMs
  return clamp(ageMs / 6, pace.pollMinMs, maxMs) * (0.75 + random / 2)
}

/** Until a technical failure is tried again; `ageMs` since the first in a row. `random` in [0, 1). */
export function retryWaitMs(pace: Pace, ageMs: number, random: number): number {
  return clamp(ageMs / 5, pace.retryMinMs, pace.retryMaxMs) * (0.5 + random)
}

/** Until an invoice that the guard held back comes again. `random` in [0, 1). */
export function computeHoldWaitMs(pace: Pace, againInMs: number, random: number): number {
  return againInMs + random * pace.heldSpreadMs
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
