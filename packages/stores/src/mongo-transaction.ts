import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '@einvoicing/domain/api-error'
import mongoose, { type mongo } from 'mongoose'

// The driver would retry for two minutes, long after the caller's deadline.
const beginAgainMs = 3_000
const longestPauseMs = 20

type Work<T> = (session: mongo.ClientSession) => Promise<T>

/**
 * `work` may run more than once: of two that write the same document, one is repeated. What a killed
 * process has begun keeps its documents for a minute; SERVICE_UNAVAILABLE meanwhile.
 */
export async function inTransaction<T>(db: mongo.Db, what: string, work: Work<T>): Promise<T> {
  const beginUntil = Date.now() + beginAgainMs
  const session = db.client.startSession()
  try {
    for (;;) {
      const done = await session.withTransaction(() => {
        // All attempts so far were rolled back.
        if (Date.now() > beginUntil) throw unavailable(what)
        return attemptWork(session, work)
      })
      if (done) return done.result
      // The driver's own pauses grow to half a second: the longest waiter would lose against
      // those who just came, such as a stolen session's writes against the end of that session.
      await pause(Math.random() * longestPauseMs)
    }
  } finally {
    await session.endSession()
  }
}

/** Undefined and rolled back after a conflict. */
async function attemptWork<T>(
  session: mongo.ClientSession,
  work: Work<T>,
): Promise<{ result: T } | undefined> {
  try {
    return { result: await work(session) }
  } catch (error) {
    if (!isConflict(error)) throw error
    await rollBack(session)
    return undefined
  }
}

/**
 * Does not wait: 'held' and rolled back if another transaction has written one of the documents, or
 * MongoDB asks to begin again for another reason, such as a new primary.
 */
export async function tryTransaction<T>(db: mongo.Db, work: Work<T>): Promise<T | 'held'> {
  const session = db.client.startSession()
  try {
    session.startTransaction()
    const result = await work(session)
    if (session.inTransaction()) await session.commitTransaction()
    return result
  } catch (error) {
    await rollBack(session)
    if (isConflict(error)) return 'held'
    throw error
  } finally {
    await session.endSession()
  }
}

function isConflict(error: unknown): boolean {
  const { MongoServerError } = mongoose.mongo
  return error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError')
}

async function rollBack(session: mongo.ClientSession): Promise<void> {
  if (session.inTransaction()) await session.abortTransaction().catch(() => undefined)
}
