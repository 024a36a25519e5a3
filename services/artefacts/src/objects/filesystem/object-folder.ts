/** Two read-only files, the bytes and `OBJECT.json`: readable in ten years without our programs. */

import {
  accessSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { sha256Hex } from '../digest'
import type { StoredObject } from '../objects'
import { syncFolder } from './sync-folders'

// Upper case, so that no object can have this name.
const recordName = 'OBJECT.json'
const readOnly = 0o400
export const folderMode = 0o700

interface ObjectRecord {
  mediaType: string
  bytes: number
  sha256: string
  retainUntil: string
}

export function writeObjectFolder(folder: string, name: string, object: StoredObject): void {
  const record: ObjectRecord = {
    mediaType: object.mediaType,
    bytes: object.bytes.length,
    sha256: object.sha256,
    retainUntil: object.retainUntil.toISOString(),
  }
  mkdirSync(folder, { mode: folderMode })
  writeDurably(path.join(folder, name), object.bytes)
  writeDurably(path.join(folder, recordName), Buffer.from(JSON.stringify(record) + '\n'))
  syncFolder(folder)
}

/** `undefined` without such a folder; throws when its content is damaged. */
export function readObjectFolder(folder: string, name: string): StoredObject | undefined {
  const file = path.join(folder, recordName)
  if (!exists(file) && !exists(folder)) return undefined
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as ObjectRecord
    const bytes = readFileSync(path.join(folder, name))
    const retainUntil = new Date(record.retainUntil)
    if (sha256Hex(bytes) !== record.sha256) throw new Error('the bytes do not have their SHA-256')
    if (Number.isNaN(retainUntil.getTime())) throw new Error('the retention date is not a date')
    return { bytes, mediaType: record.mediaType, sha256: record.sha256, retainUntil }
  } catch (cause) {
    // The disk or the process has an error, not the object.
    const { code = 'ENOENT' } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw cause
    throw new Error(`the archived object in ${folder} is damaged: restore it from a backup`, {
      cause,
    })
  }
}

function exists(name: string): boolean {
  try {
    accessSync(name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function writeDurably(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx', readOnly)
  try {
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
