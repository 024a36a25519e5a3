/**
 * An object is written under `.incoming/`, synced, and moved by one rename that fails when the
 * target exists: a crash leaves a whole object or nothing, and the second of two writers gets an
 * error. Leftovers are removed at the next start.
 */

import { createHash, randomUUID } from 'node:crypto'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@einvoicing/runtime/clock'
import { unavailable } from '@einvoicing/domain/api-error'
import { sha256Hex } from '../digest'
import { syncFolders } from './sync-folders'
import { folderMode, readObjectFolder, writeObjectFolder } from './object-folder'
import { folderToKey, listObjectFolders } from './list-folders'
import { keySegments, ObjectTaken, type Objects, type StoredObject } from '../objects'

// No key begins with a dot, so no object can be stored there.
const incomingName = '.incoming'

// Another process may be writing under `.incoming/` now; no write takes an hour.
const leftOverAgeMs = 60 * 60 * 1000

export async function openFilesystemObjects(directory: string, now: Clock): Promise<Objects> {
  const root = path.resolve(directory)
  const objects = new FilesystemObjects(root)
  try {
    await fs.mkdir(path.join(root, incomingName), { recursive: true, mode: folderMode })
    await syncFolders(path.dirname(root), [path.basename(root)])
    await removeLeftOvers(path.join(root, incomingName), now())
    await objects.check()
  } catch (cause) {
    throw new Error(
      `The archive folder ${root} cannot be written: make it writable for this process, or set DATA_DIR to a folder that is.`,
      { cause },
    )
  }
  return objects
}

class FilesystemObjects implements Objects {
  private readonly root: string
  private readonly incoming: string

  constructor(root: string) {
    this.root = root
    this.incoming = path.join(root, incomingName)
  }

  async put(key: string, object: StoredObject): Promise<void> {
    await this.store(key, object)
    if (!(await this.isStored(key, object))) throw new Error(`${key} was not stored as sent`)
  }

  async add(key: string, object: StoredObject): Promise<void> {
    try {
      await this.store(key, object)
    } catch (error) {
      if (!(error instanceof ObjectTaken)) throw error
    }
  }

  private async store(key: string, object: StoredObject): Promise<void> {
    const segments = keySegments(key)
    if (sha256Hex(object.bytes) !== object.sha256) {
      throw new RangeError(`the bytes for ${key} do not have the SHA-256 given`)
    }
    const target = keyToFolder(segments)
    while (!(await this.isStored(key, object))) {
      if (await this.moveIntoPlace(target, object)) break
    }
    // Also for an existing object: its writer may have been killed before this line.
    await orUnavailable(() => syncFolders(this.root, target.slice(0, -1)))
  }

  async get(key: string): Promise<StoredObject | undefined> {
    const segments = keySegments(key)
    return readObjectFolder(path.join(this.root, ...keyToFolder(segments)), lastSegment(segments))
  }

  async list(after: string | undefined, count: number): Promise<string[]> {
    const from = after === undefined ? [] : keyToFolder(keySegments(after))
    return orUnavailable(async () => {
      const keys: string[] = []
      for await (const folder of listObjectFolders(this.root, from)) {
        keys.push(folderToKey(folder))
        if (keys.length === count) break
      }
      return keys
    })
  }

  async check(): Promise<void> {
    const probe = path.join(this.incoming, randomUUID())
    await orUnavailable(async () => {
      await fs.mkdir(probe)
      await fs.rmdir(probe)
    })
  }

  async close(): Promise<void> {}

  private async isStored(key: string, object: StoredObject): Promise<boolean> {
    // Read whole, not only its record: the caller may be about to drop the only other copy.
    const stored = await this.get(key)
    if (stored && stored.sha256 !== object.sha256) throw new ObjectTaken(key)
    return stored !== undefined
  }

  private async moveIntoPlace(target: string[], object: StoredObject): Promise<boolean> {
    const made = path.join(this.incoming, randomUUID())
    try {
      return await orUnavailable(async () => {
        await writeObjectFolder(made, lastSegment(target), object)
        await fs.mkdir(path.join(this.root, ...target.slice(0, -1)), {
          recursive: true,
          mode: folderMode,
        })
        return renameToFree(made, path.join(this.root, ...target))
      })
    } finally {
      await fs.rm(made, { recursive: true, force: true })
    }
  }
}

function lastSegment(segments: string[]): string {
  return segments.at(-1) as string
}

/**
 * `org/invoice/signed.xml` is stored in `org/3f/a0/invoice/signed.xml/`, because a folder of
 * millions of invoices is slow to list and to back up.
 */
function keyToFolder(segments: string[]): string[] {
  const group = segments.slice(0, -1)
  const hash = createHash('sha256').update(group.join('/')).digest('hex')
  return [
    ...group.slice(0, -1),
    hash.slice(0, 2),
    hash.slice(2, 4),
    ...group.slice(-1),
    lastSegment(segments),
  ]
}

async function renameToFree(from: string, to: string): Promise<boolean> {
  try {
    await fs.rename(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

// These pass when the disk or machine has resources again.
const transientErrors = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'])

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (transientErrors.has((cause as NodeJS.ErrnoException).code ?? '')) {
      throw unavailable('The archive', cause)
    }
    throw cause
  }
}

async function removeLeftOvers(incoming: string, now: Date): Promise<void> {
  for (const entry of await fs.readdir(incoming)) {
    const folder = path.join(incoming, entry)
    const { mtimeMs } = await fs.stat(folder)
    if (now.getTime() - mtimeMs > leftOverAgeMs)
      await fs.rm(folder, { recursive: true, force: true })
  }
}
