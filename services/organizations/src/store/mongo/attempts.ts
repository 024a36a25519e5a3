import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { RateLimiterMongo } from 'rate-limiter-flexible'
import { attemptCounter, uncounted, type AttemptLimit } from '../attempt-counter'
import { attemptsCollection } from './collections'
import type { OrganizationStore } from '../store'

export function attempts(mongo: Mongo): Pick<OrganizationStore, 'countAttempts'> {
  return {
    countAttempts(limit) {
      let limiter: RateLimiterMongo | undefined
      return attemptCounter((work) => mongo.write((db) => work((limiter ??= limiterOn(db, limit)))))
    },
  }
}

function limiterOn(db: mongo.Db, { name, windowMs }: AttemptLimit): RateLimiterMongo {
  return new RateLimiterMongo({
    storeClient: db,
    tableName: attemptsCollection,
    disableIndexesCreation: true,
    keyPrefix: name,
    points: uncounted,
    duration: windowMs / 1000,
  })
}
