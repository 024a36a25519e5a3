/**
 * The one folder all data rests in: made if absent, proved writable, and held so that no second
 * process writes there.
 */

import fs from 'node:fs'
import path from 'node:path'
import Database from 'libsql'
import type { Log } from '@einvoicing/runtime/log'
import type { Closable } from '@einvoicing/runtime/serve'

/** Throws one clear sentence when the folder cannot be written or another process holds it. */
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

/** One that was there before keeps its rights: they may be the operator's intention. */
export function warnOfOpenFolder(folder: string, log: Log): void {
  if ((fs.statSync(folder).mode & 0o007) === 0) return
  log.warn({ folder }, 'DATA_DIR is readable by every user of this machine: run chmod o-rwx')
}

// Node's own recursive mkdir never returns where a folder can be seen but not made, as in /proc.
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  fs.mkdirSync(folder, { mode: 0o700 })
}

// An SQLite lock ends with its process, however that ends; a lock file of our own would outlive a
// kill -9.
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
