import { unavailable } from '@einvoicing/domain/api-error'
import mongoose, { type mongo } from 'mongoose'

// The driver would retry for two minutes, long after the caller's deadline.
const beginAgainMs = 3_000

type Work<T> = (session: mongo.ClientSession) => Promise<T>

/**
 * `work` may run more than once: of two that write the same document, one is repeated. What a killed
 * process has begun keeps its documents for a minute; SERVICE_UNAVAILABLE meanwhile.
 */
export async function inTransaction<T>(db: mongo.Db, what: string, work: Work<T>): Promise<T> {
  const beginUntil = Date.now() + beginAgainMs
  const session = db.client.startSession()
  try {
    return await session.withTransaction(() => {
      // All attempts so far were rolled back.
      if (Date.now() > beginUntil) throw unavailable(what)
      return work(session)
    })
  } finally {
    await session.endSession()
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
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined)
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
