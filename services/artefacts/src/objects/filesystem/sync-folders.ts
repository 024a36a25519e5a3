import { closeSync, fsyncSync, openSync } from 'node:fs'
import path from 'node:path'

/** Syncs the whole path: another writer may have created a folder and not have synced it yet. */
export function syncFolders(root: string, names: readonly string[]): void {
  for (let depth = 0; depth <= names.length; depth += 1) {
    syncFolder(path.join(root, ...names.slice(0, depth)))
  }
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
