import path from 'node:path'
import { syncFolder } from '@einvoicing/runtime/durable-file'

/** Syncs the whole path: another writer may have created a folder and not have synced it yet. */
export async function syncFolders(root: string, names: readonly string[]): Promise<void> {
  for (let depth = 0; depth <= names.length; depth += 1) {
    await syncFolder(path.join(root, ...names.slice(0, depth)))
  }
}
