/**
 * Written under `.incoming/`, synced, and moved by one rename that fails when the target exists: a
 * crash leaves a whole object or nothing. The next start removes leftovers.
 */

import { randomUUID } from 'node:crypto'
import { promises as fs } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Piscina } from 'piscina'
import type { Clock } from '@einvoicing/runtime/clock'
import { threadMemory } from '@einvoicing/runtime/memory'
import { unavailable } from '@einvoicing/domain/api-error'
import { syncFolders } from './sync-folders'
import { folderMode } from './object-folder'
import { keyToFolder, listFolderKeys } from './list-folders'
import type { GetTask, Outcome, PutResult, PutTask } from './worker'
import { ObjectTaken, type Objects, type StoredObject } from '../objects'

// No key begins with a dot, so no object can be stored there.
const incomingName = '.incoming'

// Another process may be writing under `.incoming/` now; no write takes an hour.
const leftOverAgeMs = 60 * 60 * 1000

const threadIdleMs = 60_000

export async function openFilesystemObjects(directory: string, now: Clock): Promise<Objects> {
  const root = path.resolve(directory)
  const objects = new FilesystemObjects(root)
  try {
    await fs.mkdir(path.join(root, incomingName), { recursive: true, mode: folderMode })
    syncFolders(path.dirname(root), [path.basename(root)])
    await removeLeftOvers(path.join(root, incomingName), now())
    await objects.check()
  } catch (cause) {
    await objects.close()
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
  private readonly threads: Piscina

  constructor(root: string) {
    this.root = root
    this.incoming = path.join(root, incomingName)
    this.threads = new Piscina({
      filename: path.join(__dirname, 'worker.js'),
      name: 'putObject',
      minThreads: 0,
      // Several, because each waits for the disk most of the time.
      maxThreads: Math.min(4, availableParallelism()),
      idleTimeout: threadIdleMs,
      resourceLimits: threadMemory,
    })
    // Without a listener the error of an idle thread, which is replaced, would end the process.
    this.threads.on('error', () => undefined)
  }

  async put(key: string, object: StoredObject): Promise<void> {
    const result = await this.store(key, object, true)
    if (result === 'taken') throw new ObjectTaken(key)
    if (result === 'absent') throw new Error(`${key} was not stored as sent`)
  }

  async add(key: string, object: StoredObject): Promise<boolean> {
    return (await this.store(key, object, false)) !== 'taken'
  }

  private async store(
    key: string,
    object: StoredObject,
    readBack: boolean,
  ): Promise<Exclude<PutResult, 'wrong-digest'>> {
    const { root, incoming } = this
    const target = keyToFolder(key)
    const task: PutTask = { root, incoming, target, object, readBack }
    const result = readOutcome((await this.threads.run(task)) as Outcome<PutResult>)
    if (result === 'wrong-digest') {
      throw new RangeError(`the bytes for ${key} do not have the SHA-256 given`)
    }
    return result
  }

  async get(key: string): Promise<StoredObject | undefined> {
    const task: GetTask = { root: this.root, target: keyToFolder(key) }
    const outcome = (await this.threads.run(task, { name: 'getObject' })) as Outcome<
      StoredObject | undefined
    >
    const stored = readOutcome(outcome)
    if (!stored) {
      // Of a folder that is not mounted, nothing is known to be absent.
      await orUnavailable(() => fs.access(this.incoming))
      return undefined
    }
    const { buffer, byteOffset, length } = stored.bytes
    return { ...stored, bytes: Buffer.from(buffer, byteOffset, length) }
  }

  async list(after: string | undefined, count: number): Promise<string[]> {
    return orUnavailable(() => listFolderKeys(this.root, after, count))
  }

  async check(): Promise<void> {
    const probe = path.join(this.incoming, randomUUID())
    await orUnavailable(async () => {
      await fs.mkdir(probe)
      await fs.rmdir(probe)
    })
  }

  async close(): Promise<void> {
    await this.threads.close()
  }
}

// These pass when the disk or machine has resources again, is mounted, or may be written.
const transientErrors = new Set(
  (
    'ENOSPC EDQUOT EROFS EIO EMFILE ENFILE ENOMEM ' +
    'ENOENT ESTALE ENOTCONN ETIMEDOUT EHOSTDOWN EACCES EPERM'
  ).split(' '),
)

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw toUnavailable(cause as NodeJS.ErrnoException)
  }
}

function toUnavailable(cause: Error, code = (cause as NodeJS.ErrnoException).code): Error {
  return transientErrors.has(code ?? '') ? unavailable('The archive', cause) : cause
}

function readOutcome<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value
  throw toUnavailable(outcome.error, outcome.code)
}

async function removeLeftOvers(incoming: string, now: Date): Promise<void> {
  for (const entry of await fs.readdir(incoming)) {
    const folder = path.join(incoming, entry)
    const writtenMs = await readWrittenMs(folder)
    if (writtenMs !== undefined && now.getTime() - writtenMs > leftOverAgeMs) {
      await fs.rm(folder, { recursive: true, force: true })
    }
  }
}

/** `undefined` when another process has moved or removed it since it was listed. */
async function readWrittenMs(folder: string): Promise<number | undefined> {
  try {
    return (await fs.stat(folder)).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
