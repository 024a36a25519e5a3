import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

export function openFresh(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true })
  return mkdtempSync(`${folder}.`)
}

/** The first that is complete stays: other processes may fill one at the same time. */
export function keepFirst(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}
