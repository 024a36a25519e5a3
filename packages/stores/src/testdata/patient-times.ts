import type { MongoTimes } from '../mongo'

/** For tests in which nothing is unavailable, so that a pause of a process is not taken for it. */
export const patientTimes: Partial<MongoTimes> = {
  answerMs: 30_000,
  selectionMs: 30_000,
  startMs: 60_000,
}
