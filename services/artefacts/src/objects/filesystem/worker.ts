/** Synchronous calls on a thread: about thirty an object, each slow for an event loop. */

import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { sha256Hex } from '../digest'
import type { StoredObject } from '../objects'
import { folderMode, readObjectFolder, writeObjectFolder } from './object-folder'
import { syncFolders } from './sync-folders'

export interface PutTask {
  root: string
  incoming: string
  target: string[]
  object: StoredObject
  readBack: boolean
}

export type GetTask = Pick<PutTask, 'root' | 'target'>

/** An error's code does not cross threads. */
export type Outcome<T> = { value: T } | { error: Error; code: string | undefined }

export type PutResult = 'stored' | 'taken' | 'wrong-digest' | 'absent'

export function putObject(task: PutTask): Outcome<PutResult> {
  return settle(() => put(task))
}

export function getObject({ root, target }: GetTask): Outcome<StoredObject | undefined> {
  return settle(() => readWhole(path.join(root, ...target)))
}

function put({ root, incoming, target, object: sent, readBack }: PutTask): PutResult {
  const { buffer, byteOffset, length } = sent.bytes
  const object = { ...sent, bytes: Buffer.from(buffer, byteOffset, length) }
  if (sha256Hex(object.bytes) !== object.sha256) return 'wrong-digest'
  const folder = path.join(root, ...target)
  for (;;) {
    const found = look(folder, object)
    if (found === 'taken') return 'taken'
    if (found === 'stored') break
    if (moveIntoPlace(path.join(incoming, randomUUID()), folder, object)) break
  }
  // Also for an existing object: its writer may have been killed before this line.
  syncFolders(root, target.slice(0, -1))
  return readBack ? look(folder, object) : 'stored'
}

/** Reads it whole, not only its record: the caller may be about to drop the only other copy. */
function look(folder: string, object: StoredObject): 'stored' | 'taken' | 'absent' {
  const stored = readWhole(folder)
  if (!stored) return 'absent'
  return stored.sha256 === object.sha256 ? 'stored' : 'taken'
}

function moveIntoPlace(made: string, folder: string, object: StoredObject): boolean {
  try {
    writeObjectFolder(made, path.basename(folder), object)
    mkdirSync(path.dirname(folder), { recursive: true, mode: folderMode })
    renameSync(made, folder)
    return true
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST'].includes(readCode(error) ?? '')) return false
    throw error
  }
}

function readWhole(folder: string): StoredObject | undefined {
  return readObjectFolder(folder, path.basename(folder))
}

function settle<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error: error as Error, code: readCode(error) }
  }
}

function readCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
