const spreadMaxMs = 600_000
const spreadShare = 0.05

/** Delayed a little, so that a day's documents do not all fetch at one moment. */
export function spread(moment: Date, now: Date, random = Math.random): Date {
  const waitMs = Math.max(0, moment.getTime() - now.getTime())
  return new Date(moment.getTime() + random() * Math.min(spreadMaxMs, waitMs * spreadShare))
}
