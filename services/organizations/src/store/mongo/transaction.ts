import type { Mongo } from '@einvoicing/stores/mongo'
import { unavailable } from '@einvoicing/domain/api-error'
import type { mongo } from 'mongoose'
import { openCollections, type Collections } from './collections'

export const what = 'The organization store'

// The driver would retry for two minutes, long after the caller's deadline.
const beginAgainMs = 3_000

/** `work` may run more than once: of two that write the same document, one is repeated. */
export function inTransaction<T>(
  mongo: Mongo,
  work: (collections: Collections, session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  return mongo.write(async (db) => {
    const beginUntil = Date.now() + beginAgainMs
    const session = db.client.startSession()
    try {
      return await session.withTransaction(() => {
        // All attempts so far were rolled back.
        if (Date.now() > beginUntil) throw unavailable(what)
        return work(openCollections(db), session)
      })
    } finally {
      await session.endSession()
    }
  })
}
