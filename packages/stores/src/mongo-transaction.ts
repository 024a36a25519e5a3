import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '@einvoicing/domain/api-error'
import mongoose, { type mongo } from 'mongoose'

// The driver would retry for two minutes, long after the caller's deadline.
const beginAgainMs = 3_000
const pauseMs = 20
const longestPauseMs = 500
/** Beyond these, pauses grow with the number that waits: together they try no more often. */
const waitersAtPauseMs = 4
let waiters = 0

type Work<T> = (session: mongo.ClientSession) => Promise<T>

/**
 * `work` may run more than once: of two that write the same document, one is repeated. It should
 * first write what others write: each of their commits after its first operation repeats it. What a
 * killed process has begun keeps its documents for a minute; SERVICE_UNAVAILABLE meanwhile.
 */
export async function inTransaction<T>(db: mongo.Db, what: string, work: Work<T>): Promise<T> {
  const beginUntil = performance.now() + beginAgainMs
  const session = db.client.startSession()
  try {
    for (;;) {
      const done = await session.withTransaction(() => {
        // All attempts so far were rolled back.
        if (performance.now() > beginUntil) throw unavailable(what)
        return attemptWork(session, work)
      })
      if (done) return done.result
      await pauseAmongWaiters()
    }
  } finally {
    await session.endSession()
  }
}

/**
 * The driver's own pauses grow with each attempt: the longest waiter would lose against those who
 * just came, such as a stolen session's writes against the end of that session.
 */
async function pauseAmongWaiters(): Promise<void> {
  waiters += 1
  try {
    const usualMs = pauseMs * Math.max(1, waiters / waitersAtPauseMs)
    await pause(Math.random() * Math.min(usualMs, longestPauseMs))
  } finally {
    waiters -= 1
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
