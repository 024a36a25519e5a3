/**
 * One object as a folder of two read-only files, its bytes under their own name and `OBJECT.json`,
 * readable in ten years without our programs.
 */

import { promises as fs } from 'node:fs'
import path from 'node:path'
import { syncFolder } from '@einvoicing/runtime/durable-file'
import { sha256Hex } from '../digest'
import type { StoredObject } from '../objects'

// Upper case, so that no object's own name can be it.
const recordName = 'OBJECT.json'
const readOnly = 0o400
export const folderMode = 0o700

interface ObjectRecord {
  mediaType: string
  bytes: number
  sha256: string
  retainUntil: string
}

export async function writeObjectFolder(
  folder: string,
  name: string,
  object: StoredObject,
): Promise<void> {
  const record: ObjectRecord = {
    mediaType: object.mediaType,
    bytes: object.bytes.length,
    sha256: object.sha256,
    retainUntil: object.retainUntil.toISOString(),
  }
  await fs.mkdir(folder, { mode: folderMode })
  await writeDurably(path.join(folder, name), object.bytes)
  await writeDurably(path.join(folder, recordName), Buffer.from(JSON.stringify(record) + '\n'))
  await syncFolder(folder)
}

/** `undefined` without such a folder; throws when its content is damaged. */
export async function readObjectFolder(
  folder: string,
  name: string,
): Promise<StoredObject | undefined> {
  const file = path.join(folder, recordName)
  if (!(await exists(file)) && !(await exists(folder))) return undefined
  try {
    const record = JSON.parse(await fs.readFile(file, 'utf8')) as ObjectRecord
    const bytes = await fs.readFile(path.join(folder, name))
    const retainUntil = new Date(record.retainUntil)
    if (sha256Hex(bytes) !== record.sha256) throw new Error('the bytes do not have their SHA-256')
    if (Number.isNaN(retainUntil.getTime())) throw new Error('the retention date is not a date')
    return { bytes, mediaType: record.mediaType, sha256: record.sha256, retainUntil }
  } catch (cause) {
    throw new Error(`the archived object in ${folder} is damaged: restore it from a backup`, {
      cause,
    })
  }
}

async function exists(name: string): Promise<boolean> {
  try {
    await fs.access(name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function writeDurably(file: string, bytes: Buffer): Promise<void> {
  const handle = await fs.open(file, 'wx', readOnly)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
