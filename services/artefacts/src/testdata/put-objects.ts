/**
 * A child process that puts object after object until it is killed, and prints the number of each
 * once it is kept.
 */

import { writeSync } from 'node:fs'
import { systemClock } from '@einvoicing/runtime/clock'
import { openFilesystemObjects } from '../objects/filesystem/filesystem-objects'
import { numberedKey, numberedObject } from './numbered-objects'

const writers = 4

async function main(folder: string, first: number): Promise<void> {
  const objects = await openFilesystemObjects(folder, systemClock)
  let next = first
  const write = async (): Promise<never> => {
    for (;;) {
      const n = next
      next += 1
      await objects.put(numberedKey(n), numberedObject(n))
      // Synchronous, so that what is printed was kept and what was kept is printed, whenever the
      // kill comes.
      writeSync(1, `${n}\n`)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
}

void main(process.argv[2] as string, Number(process.argv[3]))
