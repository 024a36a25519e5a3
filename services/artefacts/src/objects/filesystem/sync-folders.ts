import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import path from 'node:path'

/** Folders whose entry this thread has synced, and which folder stood there then. */
const synced = new Map<string, string>()
const syncedMax = 10_000

/**
 * So that a power cut leaves the whole path: another writer may have created a folder and not have
 * synced it yet. What was synced before is not synced again; the last folder always is.
 */
export function syncFolders(root: string, names: readonly string[]): void {
  let folder = root
  for (const name of names) {
    const child = path.join(folder, name)
    const identity = readIdentity(child)
    if (synced.get(child) !== identity) {
      syncFolder(folder)
      if (synced.size >= syncedMax) synced.clear()
      synced.set(child, identity)
    }
    folder = child
  }
  syncFolder(folder)
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The folder may have been removed and created again. */
function readIdentity(folder: string): string {
  const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true })
  return `${dev} ${ino} ${birthtimeNs}`
}
