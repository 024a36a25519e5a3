import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { promises as fs } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '@einvoicing/runtime/clock'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import { numberedKey, numberedObject } from '../../testdata/numbered-objects'
import { openFilesystemObjects } from './filesystem-objects'

let folder: string

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'objects-kill-'))
})

afterAll(() => fs.rm(folder, { recursive: true, force: true }))

/**
 * Runs a writer from object `first` on, kills it once it has kept `count`, and returns those that it
 * kept.
 */
async function keptUntilKilled(first: number, count: number): Promise<number[]> {
  const script = path.join(__dirname, '../../testdata/put-objects.ts')
  const args = [...runUnbuilt(script), folder, String(first)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const kept: number[] = []
  for await (const line of createInterface(child.stdout)) {
    kept.push(Number(line))
    if (kept.length === count) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return kept
}

it('loses nothing that it said was kept, and keeps nothing by halves, over kill -9', async () => {
  const kept: number[] = []
  for (const count of [1, 12, 30]) {
    kept.push(...(await keptUntilKilled(kept.length * 2, count)))
  }
  const objects = await openFilesystemObjects(folder, systemClock)
  const keptSet = new Set(kept)
  for (let n = 0; n <= Math.max(...kept) + 10; n += 1) {
    const found = await objects.get(numberedKey(n))
    // `get` has compared the bytes with their SHA-256.
    if (found || keptSet.has(n)) expect(found?.sha256).toBe(numberedObject(n).sha256)
    // Whatever the kill cut short can be put again.
    await objects.put(numberedKey(n), numberedObject(n))
  }
})
