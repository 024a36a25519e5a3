export const platformLimits = {
  documentBytes: 16 * 1024 * 1024,
  receivingBytes: 256 * 1024 * 1024,
  connections: 1_024,
  /** Per document: two thousand lines have a third of it. */
  tagCount: 200_000,
  idempotencyKeyLength: 200,
  /** Beyond it the platform answers 503. */
  undecidedCount: 100_000,
  behaviourBytes: 16 * 1024,
  timeStampQueryBytes: 4 * 1024,
  delayMs: 600_000,
} as const

export const platformDeadlinesMs = {
  /** Two thousand lines take seconds of processor time: a minute on a busy machine. */
  verification: 180_000,
  /** Until an ending predecessor releases its port. */
  bind: 5_000,
} as const
