/** SQLite as the embedded default opens it (libsql): WAL, and every commit on disk before it is answered. */

import Database from 'libsql'

export type Sqlite = InstanceType<typeof Database>

/** Opens for writing and brings the schema up to date: migration n runs once, in order, each in a transaction. */
export function openSqlite(file: string, migrations: readonly string[]): Sqlite {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('busy_timeout = 10000')
  database.pragma('foreign_keys = ON')
  migrate(database, file, migrations)
  return database
}

function migrate(database: Sqlite, file: string, migrations: readonly string[]): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get([]) as {
    user_version: number
  }
  if (version > migrations.length) {
    throw new Error(
      `${file} was written by a newer version of this service (schema ${version}, known ${migrations.length})`,
    )
  }
  migrations.slice(version).forEach((migration, index) => {
    database.exec(
      `BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${version + index + 1}; COMMIT;`,
    )
  })
}

/** Whether a statement failed because a UNIQUE index already holds the value. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}
