/**
 * Several documents of MongoDB written as one: all of them or none, on the disks of a majority.
 */

import type { Mongo } from '@einvoicing/stores/mongo'
import { unavailable } from '@einvoicing/domain/api-error'
import type { mongo } from 'mongoose'
import { openCollections, type Collections } from './collections'

/** The name in errors. */
export const what = 'The organization store'

// The driver would begin again for two minutes, long after anyone who asked was answered.
const beginAgainMs = 3_000

/**
 * Answers what `work` answered; anything thrown inside undoes all of it. Of two that write the same
 * document at once one begins again, so `work` may run more than once.
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
        // What was begun before is known to be undone.
        if (Date.now() > beginUntil) throw unavailable(what)
        return work(openCollections(db), session)
      })
    } finally {
      await session.endSession()
    }
  })
}
