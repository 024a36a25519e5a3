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
async function storeUntilKilled(first: number, count: number): Promise<number[]> {
  const script = path.join(__dirname, '../../testdata/put-objects.ts')
  const args = [...runUnbuilt(script), folder, String(first)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const stored: number[] = []
  for await (const line of createInterface(child.stdout)) {
    stored.push(Number(line))
    if (stored.length === count) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return stored
}

it('loses no acknowledged object, and stores none partly, over kill -9', async () => {
  const stored: number[] = []
  for (const count of [1, 12, 30]) {
    stored.push(...(await storeUntilKilled(stored.length * 2, count)))
  }
  const objects = await openFilesystemObjects(folder, systemClock)
  const storedSet = new Set(stored)
  for (let n = 0; n <= Math.max(...stored) + 10; n += 1) {
    const found = await objects.get(numberedKey(n))
    // `get` has compared the bytes with their SHA-256.
    if (found || storedSet.has(n)) expect(found?.sha256).toBe(numberedObject(n).sha256)
    // Whatever the kill cut short can be put again.
    await objects.put(numberedKey(n), numberedObject(n))
  }
})
