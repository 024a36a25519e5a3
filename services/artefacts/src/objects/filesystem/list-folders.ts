import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { keySegments } from '../objects'

export async function listFolderKeys(
  root: string,
  after: string | undefined,
  count: number,
): Promise<string[]> {
  const keys: string[] = []
  for await (const folder of listObjectFolders(root, after)) {
    if (keys.push(folderToKey(folder)) === count) break
  }
  return keys
}

export async function* listObjectFolders(root: string, after?: string): AsyncGenerator<string[]> {
  yield* listFoldersBelow(root, [], after === undefined ? [] : keyToFolder(after))
}

/** `org/3f/a0/invoice/signed.xml/`: a folder of millions is slow to list and to back up. */
export function keyToFolder(key: string): string[] {
  const segments = keySegments(key)
  const group = segments.slice(0, -1)
  const hash = createHash('sha256').update(group.join('/')).digest('hex')
  return [
    ...group.slice(0, -1),
    hash.slice(0, 2),
    hash.slice(2, 4),
    ...group.slice(-1),
    segments.at(-1) as string,
  ]
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
