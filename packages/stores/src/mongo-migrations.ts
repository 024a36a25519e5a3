// Never edited once done. Processes may start together and die: a migration must give the same
// result when run twice, also at once.

import type { mongo } from 'mongoose'
import { SettingsError } from '@einvoicing/runtime/env'

export interface MongoMigrations {
  name: string
  /** A changed index gets a new name, in a migration of its own. */
  steps: readonly (MongoMigration | MongoAddition)[]
}

export type MongoMigration = (db: mongo.Db) => Promise<unknown>

/** Older versions can ignore it, so a rolling upgrade may go in any order, and back. */
export interface MongoAddition {
  add: MongoMigration
}

interface Recorded {
  _id: string
  name: string
  version: number
  doneAt: Date
}

const nameOfAdditions = (name: string) => `${name}+`

/** Throws `SettingsError` when a newer version changed what ours works with. */
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
