import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLog } from '@einvoicing/runtime/log'
import { startSimulator } from './simulator-process'

const mainFile = path.join(__dirname, 'testdata/slow-child.cjs')

let dataDir: string
beforeEach(() => (dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'simulator-process-'))))
afterEach(() => fs.rmSync(dataDir, { recursive: true }))

const start = () =>
  startSimulator(
    {
      port: 8090,
      dataDir,
      publicUrl: undefined,
      trustedCertificateFile: path.join(dataDir, 'trusted.pem'),
      log: createLog('silent'),
    },
    mainFile,
  )

/** Of every process that was started, once there are so many. */
async function startedIds(count: number): Promise<number[]> {
  for (;;) {
    const ids = fs.readFileSync(path.join(dataDir, 'ids'), 'utf8').trim().split('\n').map(Number)
    if (ids.length >= count) return ids
    await delay(20)
  }
}

function lives(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

test('ends when its parent process ends', async () => {
  const simulator = await start()
  const [id = 0] = await startedIds(1)
  expect(lives(id)).toBe(true)
  await simulator.close()
  expect(lives(id)).toBe(false)
})

test('is restarted when it exits, and not left behind by a stop', async () => {
  const simulator = await start()
  const [first = 0] = await startedIds(1)
  process.kill(first, 'SIGKILL')
  const [, second = 0] = await startedIds(2)
  expect(lives(second)).toBe(true)
  await simulator.close()
  expect(lives(second)).toBe(false)
})
