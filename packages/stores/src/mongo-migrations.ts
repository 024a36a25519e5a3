/**
 * What a store's collections need, as migrations: each is recorded once done, and never edited
 * afterwards.
 *
 * Several processes may start together, and a process may die in the middle: a migration may run
 * twice, also at once, so it must leave the same. Building an index does so, and blocks no one.
 */

import type { mongo } from 'mongoose'
import { SettingsError } from '@einvoicing/runtime/env'

export interface MongoMigrations {
  /** Whose collections: `invoices`. */
  name: string
  /** An index whose definition changes gets a new name, in a migration of its own. */
  steps: readonly (MongoMigration | MongoAddition)[]
}

export type MongoMigration = (db: mongo.Db) => Promise<unknown>

/**
 * What an older version need not know of: an index, a collection of its own. It works beside it,
 * so that a rolling upgrade may go in any order, and back.
 */
export interface MongoAddition {
  add: MongoMigration
}

interface Recorded {
  _id: string
  name: string
  version: number
  doneAt: Date
}

// Under a name of their own: a version that does not know them does not look there.
const nameOfAdditions = (name: string) => `${name}+`

/** Throws `SettingsError` where a newer version of the service changed what ours works with. */
export async function migrate(db: mongo.Db, { name, steps }: MongoMigrations): Promise<void> {
  const recorded = db.collection<Recorded>('migrations')
  const names = [name, nameOfAdditions(name)]
  const found = await recorded.find({ name: { $in: names } }).toArray()
  const changes = found.filter((one) => one.name === name)
  const last = Math.max(0, ...changes.map(({ version }) => version))
  if (last > steps.length) {
    throw new SettingsError([
      `MONGODB_URL: the database was written by a newer version of this service (${name} ${last}, known ${steps.length}): run that version, or restore a backup`,
    ])
  }
  const done = new Set(found.map(({ version }) => version))
  for (const [index, step] of steps.entries()) {
    const version = index + 1
    if (done.has(version)) continue
    const isAddition = typeof step !== 'function'
    await (isAddition ? step.add(db) : step(db))
    const reported = {
      name: isAddition ? nameOfAdditions(name) : name,
      version,
      doneAt: new Date(),
    }
    await recorded.updateOne(
      { _id: `${name}/${version}` },
      { $setOnInsert: reported },
      { upsert: true },
    )
  }
}
