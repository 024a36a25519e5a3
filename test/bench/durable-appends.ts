import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

export function durableAppendsPerSecond(
  folder: string,
  recordBytes: number,
  seconds: number,
): number {
  const file = openSync(path.join(folder, 'appends'), 'a')
  const record = Buffer.alloc(recordBytes, 'x')
  const begunAt = performance.now()
  let appends = 0
  while (performance.now() - begunAt < seconds * 1_000) {
    writeSync(file, record)
    fdatasyncSync(file)
    appends += 1
  }
  closeSync(file)
  return Math.round(appends / seconds)
}
