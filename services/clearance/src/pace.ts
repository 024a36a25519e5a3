/** Waits grow with age, with jitter so that invoices that failed together do not retry together. */

export interface Pace {
  pollMinMs: number
  /** Of all invoices while nothing is decided. */
  pollsPerSecondMin: number
  pollDelayMaxMs: number
  /** For submissions younger than `youngMs`; older ones wait for a person. */
  pollMaxMs: number
  oldPollMaxMs: number
  youngMs: number
  retryMinMs: number
  retryMaxMs: number
  heldSpreadMs: number
}

export const defaultPace: Pace = {
  pollMinMs: 250,
  pollsPerSecondMin: 40,
  pollDelayMaxMs: 5_000,
  pollMaxMs: 30_000,
  oldPollMaxMs: 300_000,
  youngMs: 3_600_000,
  retryMinMs: 1_000,
  retryMaxMs: 30_000,
  heldSpreadMs: 2_000,
}

/** `random` in [0, 1). */
export function pollWaitMs(pace: Pace, ageMs: number, random: number): number {
  const maxMs = ageMs < pace.youngMs ? pace.pollMaxMs : pace.oldPollMaxMs
  return clamp(ageMs / 6, pace.pollMinMs, maxMs) * (0.75 + random / 2)
}

/** `ageMs` since the first failure in a row. `random` in [0, 1). */
export function retryWaitMs(pace: Pace, ageMs: number, random: number): number {
  return clamp(ageMs / 5, pace.retryMinMs, pace.retryMaxMs) * (0.5 + random)
}

export interface Hold {
  againInMs: number
  /** They come last: one whose calls always fail would keep the breaker open for the others. */
  hasFailed: boolean
}

/** `random` in [0, 1). */
export function computeHoldWaitMs(pace: Pace, hold: Hold, random: number): number {
  return hold.againInMs + (hold.hasFailed ? 1 + random : random) * pace.heldSpreadMs
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
