/** Injected, so that tests control time. */

export type Clock = () => Date

export const systemClock: Clock = () => new Date()
