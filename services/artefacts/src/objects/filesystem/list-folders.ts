import type { Dirent } from 'node:fs'
import { promises as fs } from 'node:fs'
import path from 'node:path'

export function listObjectFolders(
  root: string,
  after: readonly string[] = [],
): AsyncGenerator<string[]> {
  return listFoldersBelow(root, [], after)
}

export function folderToKey(folder: readonly string[]): string {
  return [...folder.slice(0, -4), ...folder.slice(-2)].join('/')
}

async function* listFoldersBelow(
  root: string,
  parts: string[],
  [edge, ...deeper]: readonly string[],
): AsyncGenerator<string[]> {
  const entries = await fs.readdir(path.join(root, ...parts), { withFileTypes: true })
  const isObject = parts.length > 0 && entries.some((entry) => !entry.isDirectory())
  if (isObject && edge === undefined) yield parts
  const names = entries.filter(isObjectFolder).map(({ name }) => name)
  for (const name of names.sort()) {
    if (edge === undefined || name > edge) yield* listFoldersBelow(root, [...parts, name], [])
    // At its end the path is the object itself, which was listed already.
    else if (name === edge && deeper.length > 0) {
      yield* listFoldersBelow(root, [...parts, name], deeper)
    }
  }
}

/** Not one that is still being written. */
function isObjectFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.')
}
