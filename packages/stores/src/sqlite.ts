/** WAL; every commit is on disk before it is answered. */

import fs from 'node:fs'
import path from 'node:path'
import Database from 'libsql'
import { SettingsError } from '@einvoicing/runtime/env'
import { unavailable } from '@einvoicing/domain/api-error'

export type Sqlite = InstanceType<typeof Database>

/** Throws `SettingsError` for a file that is no database, not writable, or of a newer version. */
export function openSqlite(file: string, migrations: readonly string[]): Sqlite {
  const database = connect(file)
  try {
    // First, so that the other settings wait for another process instead of failing.
    database.pragma('busy_timeout = 10000')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    migrate(database, file, migrations)
    return database
  } catch (error) {
    database.close()
    throw isStorageFailure(error) ? unusable(file, error) : error
  }
}

/** On a full disk SQLite ends the transaction itself, and libsql's rollback hides the reason. */
export function inTransaction<T>(database: Sqlite, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_CONSTRAINT_UNIQUE'
}

/** Disk full, unreadable, read-only or locked: the same request may succeed later. */
export function isStorageFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|BUSY|LOCKED|PERM|PROTOCOL|NOMEM|INTERRUPT)(_|$)/.test(
    sqliteCode(error),
  )
}

export async function orUnavailable<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isStorageFailure(error) ? unavailable(what, error) : error
  }
}

function connect(file: string): Sqlite {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    // SQLite would let every user of the machine read it; its side files get the mode of this one.
    fs.closeSync(fs.openSync(file, 'a', 0o600))
    return new Database(file)
  } catch (cause) {
    throw unusable(file, cause)
  }
}

function migrate(database: Sqlite, file: string, migrations: readonly string[]): void {
  // Checked inside the writing transaction: of two processes that start at once, one migrates.
  while (inTransaction(database, () => migrateOnce(database, file, migrations)));
}

function migrateOnce(database: Sqlite, file: string, migrations: readonly string[]): boolean {
  const { user_version: version } = database.prepare('PRAGMA user_version').get([]) as {
    user_version: number
  }
  if (version > migrations.length) {
    throw new SettingsError([
      `${file} was written by a newer version of this service (schema ${version}, known ${migrations.length}): run that version, or restore a backup`,
    ])
  }
  const migration = migrations[version]
  if (migration === undefined) return false
  database.exec(migration)
  database.pragma(`user_version = ${version + 1}`)
  return true
}

function unusable(file: string, cause: unknown): SettingsError {
  const code = sqliteCode(cause)
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new SettingsError([
      `${file} is damaged or is not a database: restore it from a backup, or move it elsewhere to start with a new one`,
    ])
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SettingsError([
    `${file} cannot be opened for writing: check that its folder (DATA_DIR) is writable and has free space (${reason})`,
  ])
}

function sqliteCode(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : ''
}
