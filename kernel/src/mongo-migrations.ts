/**
 * What a store's collections need, as migrations: each is recorded once done, and never edited
 * afterwards.
 *
 * Several processes may start together, and a process may die in the middle: a migration may run
 * twice, also at once, so it must leave the same. Building an index does so, and blocks nobody.
 */

import type { mongo } from 'mongoose'
import { SettingsError } from './env'

export interface MongoMigrations {
  /** Whose collections: `invoices`. */
  name: string
  /** An index whose definition changes gets a new name, in a migration of its own. */
  steps: readonly MongoMigration[]
}

export type MongoMigration = (db: mongo.Db) => Promise<unknown>

interface Recorded {
  _id: string
  name: string
  version: number
  doneAt: Date
}

/** Throws `SettingsError` where a newer version of the service was here. */
export async function migrate(db: mongo.Db, { name, steps }: MongoMigrations): Promise<void> {
  const recorded = db.collection<Recorded>('migrations')
  const [last] = await recorded.find({ name }).sort({ version: -1 }).limit(1).toArray()
  const done = last?.version ?? 0
  if (done > steps.length) {
    throw new SettingsError([
      `MONGODB_URL: the database was written by a newer version of this service (${name} ${done}, known ${steps.length}): run that version, or restore a backup`,
    ])
  }
  for (const [index, step] of steps.entries()) {
    const version = index + 1
    if (version <= done) continue
    await step(db)
    const _id = `${name}/${version}`
    await recorded.updateOne(
      { _id },
      { $setOnInsert: { name, version, doneAt: new Date() } },
      { upsert: true },
    )
  }
}
