const spreadMaxMs = 600_000
const spreadShare = 0.05

/** A little later, so that what a day's documents wait for is not fetched by all at one moment. */
export function spread(moment: Date, now: Date, random = Math.random): Date {
  const waitMs = Math.max(0, moment.getTime() - now.getTime())
  return new Date(moment.getTime() + random() * Math.min(spreadMaxMs, waitMs * spreadShare))
}
