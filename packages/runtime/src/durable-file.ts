/**
 * Files that are whole or not there: written beside, flushed, renamed, and the folder flushed, so
 * that a crash leaves the old or the new.
 */

import { mkdir, open, rename } from 'node:fs/promises'
import path from 'node:path'

/** What a crash left behind under the temporary name is written over. */
export async function writeDurably(file: string, content: string, mode: number): Promise<void> {
  const temporary = `${file}.tmp`
  const handle = await open(temporary, 'w', mode)
  try {
    // A leftover keeps the mode it had: set it before a secret goes in.
    await handle.chmod(mode)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  await syncFolder(path.dirname(file))
}

/** Makes what is missing of the path; each folder made is in the one above it to stay. */
export async function makeFolderDurably(folder: string, mode: number): Promise<void> {
  const highestMade = await mkdir(folder, { recursive: true, mode })
  if (highestMade === undefined) return
  const above = path.dirname(path.resolve(highestMade))
  for (let made = path.resolve(folder); made !== above; made = path.dirname(made)) {
    await syncFolder(path.dirname(made))
  }
}

/** Makes the names inside a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
