/**
 * An auditor's walk through an archive folder: every object is read whole. Changes nothing. How
 * long files stay is for the owner of the disk to see to: a folder locks nothing.
 */

import type { Dirent } from 'node:fs'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { faultOfReading, type Inspected } from './inspected'
import { readObjectFolder } from './object-folder'

/** Folders of two hash parts stand before the last two parts of a key. */
export async function* inspectFolder(root: string): AsyncGenerator<Inspected> {
  for await (const folder of objectFolders(root, [])) {
    const key = [...folder.slice(0, -4), ...folder.slice(-2)].join('/')
    const fault = await faultOfReading(async () => {
      await readObjectFolder(path.join(root, ...folder), folder.at(-1) ?? '')
      return undefined
    })
    yield { key, fault }
  }
}

/** A folder with files in it is an object, whole or not. */
async function* objectFolders(root: string, parts: string[]): AsyncGenerator<string[]> {
  const entries = await fs.readdir(path.join(root, ...parts), { withFileTypes: true })
  if (parts.length > 0 && entries.some((entry) => !entry.isDirectory())) yield parts
  for (const entry of entries.filter(isKept)) yield* objectFolders(root, [...parts, entry.name])
}

/** Not what is being written right now. */
function isKept(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.')
}
