/**
 * An error that nothing caught, and a thread that died: the process logs why, answers what it has
 * begun, and exits with a status that has it started again. Nothing that was answered is lost.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeAuthority } from '@einvoicing/servers/certificates'
import { eventually } from '@einvoicing/servers/eventually'
import { findFreePort } from '@einvoicing/servers/ports'
import { freePlaces } from '../stack/free-places'
import { newOrganization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { spawnService, type Ended } from '../stack/service-process'
import { startStandalone, type Standalone } from '../stack/standalone'
import { createUnderLoad } from './load'
import { listAll } from './record'

const failedStatus = 70
const withinMs = 30_000
const toBreak = (what: string) => ({
  NODE_OPTIONS: `--require ${path.join(__dirname, 'testdata/break-on-signal.cjs')}`,
  BREAK: what,
})

let folder: string
beforeAll(async () => (folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-unexpected-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

interface FatalLine {
  level: string
  err: { message: string; stack: string }
}

function fatalLines(output: string): FatalLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as FatalLine)
    .filter(({ level }) => level === 'fatal')
}

async function inTime<T>(awaited: Promise<T>, orElse: () => void): Promise<T> {
  const cut = setTimeout(orElse, withinMs)
  return awaited.finally(() => clearTimeout(cut))
}

describe('the whole in one process', () => {
  const seed = drawSeed('unexpected')

  test.each([
    ['exception', 'an exception of the test'],
    ['rejection', 'a rejection of the test'],
    ['write-worker.js', 'the writer thread ended'],
    ['read-worker.js', 'the listing thread ended'],
  ])(
    `%s: exits to be started again, and loses nothing (SEED=${seed})`,
    async (what, cause) => {
      const stack = await startStandalone({ env: toBreak(what) })
      try {
        const { invoices } = await newOrganization(stack)
        // The thread for reports is started by the first list.
        await listAll(invoices)
        const load = createUnderLoad(invoices, { random: seededRandom(seed) })
        await eventually(async () => expect(load.acknowledged).not.toEqual([]))
        process.kill(stack.pid(), 'SIGUSR2')
        const ended = await inTime(stack.ended(), () => process.kill(stack.pid(), 'SIGKILL'))
        await load.done

        expect([ended.code, ended.signal]).toEqual([failedStatus, null])
        const [fatal] = fatalLines(ended.stdout)
        expect(fatal?.err.stack).toContain(cause)
        expect(load.refused.filter(({ status }) => status !== 503)).toEqual([])

        await expectStored(
          stack,
          load.acknowledged.map(({ id }) => id),
          async () => {
            const all = await listAll(invoices)
            return all.map(({ id }) => id)
          },
        )
      } finally {
        await stack.dispose()
      }
    },
    120_000,
  )
})

async function expectStored(stack: Standalone, ids: string[], list: () => Promise<string[]>) {
  expect(ids.length).toBeGreaterThan(0)
  await stack.restart({ NODE_OPTIONS: '' })
  const stored = new Set(await list())
  expect(ids.filter((id) => !stored.has(id))).toEqual([])
}

describe('a service as a process', () => {
  const secret = async (name: string) => {
    const file = path.join(folder, name)
    await writeFile(file, 's'.repeat(40), { mode: 0o600 })
    return file
  }

  test.each(['organizations', 'signer', 'artefacts', 'gateway', 'simulator'] as const)(
    '%s: logs the cause and exits to be started again',
    async (main) => {
      const { authorityFile } = await (await makeAuthority('test')).issue(main)
      const service = spawnService({
        main,
        env: {
          ...(await freePlaces()),
          ...toBreak('exception'),
          LOG_LEVEL: 'info',
          DATA_DIR: path.join(folder, main),
          CALLER_SECRET_FILE: await secret('caller.secret'),
          SIMULATOR_PORT: String(await findFreePort()),
          SIMULATOR_DATA_DIR: path.join(folder, main),
          SIMULATOR_TRUSTED_CERTIFICATES: authorityFile,
        },
      })
      const ended = await inTime(
        breakOnceReady(service).then(() => service.ended),
        () => void service.signal('SIGKILL'),
      )
      expectFailed(ended)
    },
    60_000,
  )
})

async function breakOnceReady({ output, isRunning, pid }: ReturnType<typeof spawnService>) {
  const isReady = () => /"(ready|clearance simulator listening)"/.test(output())
  while (isRunning() && !isReady()) await new Promise((resolve) => setTimeout(resolve, 50))
  if (isRunning()) process.kill(pid, 'SIGUSR2')
}

function expectFailed({ code, stdout, stderr }: Ended): void {
  expect({ code, stderr }).toEqual({ code: failedStatus, stderr: '' })
  const [fatal] = fatalLines(stdout)
  expect(fatal?.err.message).toBe('an exception of the test')
  expect(stdout).toContain('"stopped"')
}
