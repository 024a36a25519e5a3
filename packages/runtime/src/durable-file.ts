// A crash leaves the old file or the new one, never a part.

import { mkdir, open, rename } from 'node:fs/promises'
import path from 'node:path'

/** Overwrites a temporary file that a crash left. */
export async function writeDurably(file: string, content: string, mode: number): Promise<void> {
  const temporary = `${file}.tmp`
  const handle = await open(temporary, 'w', mode)
  try {
    // A leftover has its old mode: set it before a secret is written.
    await handle.chmod(mode)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  await syncFolder(path.dirname(file))
}

export async function makeFolderDurably(folder: string, mode: number): Promise<void> {
  const highestMade = await mkdir(folder, { recursive: true, mode })
  if (highestMade === undefined) return
  const above = path.dirname(path.resolve(highestMade))
  for (let made = path.resolve(folder); made !== above; made = path.dirname(made)) {
    await syncFolder(path.dirname(made))
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
