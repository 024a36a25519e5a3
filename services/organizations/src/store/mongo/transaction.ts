import type { Mongo } from '@einvoicing/stores/mongo'
import { unavailable } from '@einvoicing/domain/api-error'
import type { mongo } from 'mongoose'
import { openCollections, type Collections } from './collections'

export const what = 'The organization store'

// The driver would retry for two minutes, long after the caller has its answer.
const beginAgainMs = 3_000

/**
 * All documents or none, on the disks of a majority. `work` may run more than once: of two that
 * write the same document at once, one runs again.
 */
export function inTransaction<T>(
  mongo: Mongo,
  work: (collections: Collections, session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  return mongo.write(async (db) => {
    const beginUntil = Date.now() + beginAgainMs
    const session = db.client.startSession()
    try {
      return await session.withTransaction(() => {
        // The attempts before are known to be rolled back.
        if (Date.now() > beginUntil) throw unavailable(what)
        return work(openCollections(db), session)
      })
    } finally {
      await session.endSession()
    }
  })
}
