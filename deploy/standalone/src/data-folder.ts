import fs from 'node:fs'
import path from 'node:path'
import Database from 'libsql'
import type { Log } from '@einvoicing/runtime/log'
import type { Closable } from '@einvoicing/runtime/serve'

/** Throws one sentence if the folder cannot be written or another process uses it. */
export function lockDataFolder(folder: string): Closable {
  try {
    makeFolder(folder)
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`DATA_DIR ${folder} cannot be written (${code}); give the user rights to it.`, {
      cause,
    })
  }
  const lock = lockFolder(folder)
  return {
    close() {
      lock.close()
    },
  }
}

/** An existing folder keeps its permissions: they may be intended. */
export function warnOfOpenFolder(folder: string, log: Log): void {
  if ((fs.statSync(folder).mode & 0o007) === 0) return
  log.warn({ folder }, 'DATA_DIR is readable by every user of this machine: run chmod o-rwx')
}

// Node's recursive mkdir never returns for a folder that is visible but cannot be made, as in
// /proc.
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  fs.mkdirSync(folder, { mode: 0o700 })
}

// An SQLite lock ends with its process; a lock file would survive a kill -9.
function lockFolder(folder: string): InstanceType<typeof Database> {
  const file = path.join(folder, 'lock.db')
  try {
    const lock = new Database(file, { timeout: 3_000 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (at TEXT); COMMIT')
    return lock
  } catch (cause) {
    const { code = '', message } = cause as Error & { code?: string }
    const why =
      code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
        ? `DATA_DIR ${folder} is in use by another process; stop it or choose another folder.`
        : `DATA_DIR ${folder} cannot be written (${message}).`
    throw new Error(why, { cause })
  }
}
