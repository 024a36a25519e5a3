import type { Mongo } from '@einvoicing/stores/mongo'
import { inTransaction as inTransactionOn } from '@einvoicing/stores/mongo-transaction'
import type { mongo } from 'mongoose'
import { openCollections, type Collections } from './collections'

export const what = 'The organization store'

/** `work` may run more than once. */
export const inTransaction = <T>(
  mongo: Mongo,
  work: (collections: Collections, session: mongo.ClientSession) => Promise<T>,
): Promise<T> =>
  mongo.write((db) => inTransactionOn(db, what, (session) => work(openCollections(db), session)))
