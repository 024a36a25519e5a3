/**
 * The folders of an archive folder that are objects, in the order of their paths; nothing is read.
 */

import type { Dirent } from 'node:fs'
import { promises as fs } from 'node:fs'
import path from 'node:path'

/** Parts of the path of each object below `root`; only of those behind `behind` where given. */
export function listObjectFolders(
  root: string,
  behind: readonly string[] = [],
): AsyncGenerator<string[]> {
  return listFoldersBelow(root, [], behind)
}

/** Folders of two hash parts stand before the last two parts of a key. */
export function folderToKey(folder: readonly string[]): string {
  return [...folder.slice(0, -4), ...folder.slice(-2)].join('/')
}

async function* listFoldersBelow(
  root: string,
  parts: string[],
  [edge, ...deeper]: readonly string[],
): AsyncGenerator<string[]> {
  const entries = await fs.readdir(path.join(root, ...parts), { withFileTypes: true })
  // A folder with files in it is an object, whole or not.
  const isObject = parts.length > 0 && entries.some((entry) => !entry.isDirectory())
  if (isObject && edge === undefined) yield parts
  const names = entries.filter(isObjectFolder).map(({ name }) => name)
  for (const name of names.sort()) {
    if (edge === undefined || name > edge) yield* listFoldersBelow(root, [...parts, name], [])
    // Where the path ends, it is the object itself, which was had already.
    else if (name === edge && deeper.length > 0) {
      yield* listFoldersBelow(root, [...parts, name], deeper)
    }
  }
}

/** Not what is being written right now. */
function isObjectFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.')
}
