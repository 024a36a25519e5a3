/** Time, given to anyone who needs it, so that tests can give another. */

/** The present moment. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
