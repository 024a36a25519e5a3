import { unavailable } from '@einvoicing/domain/api-error'
import type { mongo } from 'mongoose'

// The driver would retry for two minutes, long after the caller's deadline.
const beginAgainMs = 3_000

/**
 * `work` may run more than once: of two that write the same document, one is repeated. What a killed
 * process has begun keeps its documents for a minute; SERVICE_UNAVAILABLE meanwhile.
 */
export async function inTransaction<T>(
  db: mongo.Db,
  what: string,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
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
