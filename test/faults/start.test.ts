/**
 * What keeps the service from starting ends it at once, with one clear sentence for the operator
 * and no stack trace.
 */

import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '@einvoicing/servers/ports'
import { spawnService, type Ended } from '../stack/service-process'
import { newOrganization, type Organization } from '../stack/organization'
import { startStandalone, suiteSettings, type Standalone } from '../stack/standalone'
import { expectClearError, readLines } from './clear-error'

const withinMs = 60_000
let folder: string
/** With a finished invoice. */
let running: Standalone
let invoices: Organization['invoices']
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-start-'))
  running = await startStandalone()
  invoices = (await newOrganization(running)).invoices
  await invoices.decided((await invoices.created()).id)
}, 120_000)
afterAll(async () => {
  await running.dispose()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>): Promise<Ended> {
  const place = {
    dataDir: path.join(folder, crypto.randomUUID()),
    port: await findFreePort(),
    simulatorPort: await findFreePort(),
    wire: 'none' as const,
  }
  const service = spawnService({ env: { ...suiteSettings(place), ...env } })
  const cut = setTimeout(() => void service.signal('SIGKILL'), withinMs)
  const ended = await service.ended
  clearTimeout(cut)
  return ended
}

describe('the service does not start and says why', () => {
  test('its port is taken', async () => {
    await withTakenPort(async (port) => {
      const ended = await start({ PORT: String(port) })
      expectClearError(ended, String(port), 'PORT')
      expect(readLines(ended)).toHaveLength(1)
    })
  })

  test('the simulator’s port is taken', () =>
    withTakenPort(async (port) => {
      expectClearError(
        await start({ SIMULATOR_PORT: String(port) }),
        String(port),
        'SIMULATOR_PORT',
      )
    }))

  test('DATA_DIR is a file', async () => {
    const file = path.join(folder, 'file')
    await writeFile(file, 'not a folder')
    for (const dataDir of [file, path.join(file, 'below')]) {
      const ended = await start({ DATA_DIR: dataDir })
      expectClearError(ended, 'DATA_DIR', dataDir)
      expect(readLines(ended)).toHaveLength(1)
    }
  })

  test('DATA_DIR cannot be written', async () => {
    const ended = await start({ DATA_DIR: '/proc/einvoicing' })
    expectClearError(ended, 'DATA_DIR', '/proc/einvoicing')
    expect(readLines(ended)).toHaveLength(1)
  })

  test('settings are wrong: all are reported at once, no value that could be secret', async () => {
    const ended = await start({
      PORT: '70000',
      SIMULATOR_PORT: 'x',
      LOG_LEVEL: 'loud',
      RATE_LIMIT_PER_MINUTE: '-1',
      WIRE: 'pigeon',
      SIGNUP: 'maybe',
      SIGNER_KEY_ALGORITHM: 'rot13',
      CLEARANCE_URL: 'ftp://user:hunter2@x',
      DEMO: 'perhaps',
    })
    const names = ['PORT', 'SIMULATOR_PORT', 'LOG_LEVEL', 'RATE_LIMIT_PER_MINUTE', 'WIRE', 'SIGNUP']
    expectClearError(ended, ...names, 'SIGNER_KEY_ALGORITHM', 'CLEARANCE_URL', 'DEMO')
    expect(ended.stderr).not.toContain('hunter2')
    expect(readLines(ended)).toHaveLength(9)
  })

  test('the folder is in use by another process, which continues', async () => {
    const ended = await start({ DATA_DIR: running.dataDir })
    expectClearError(ended, 'DATA_DIR', running.dataDir, /in use|another process/)
    expect(readLines(ended)).toHaveLength(1)
    const made = await invoices.created()
    expect((await invoices.decided(made.id)).status).toBe('ACCEPTED')
  })
})

describe('the service does not start on what is damaged', () => {
  let healthy: string
  beforeAll(async () => {
    await running.stop()
    healthy = path.join(folder, 'healthy')
    await cp(running.dataDir, healthy, { recursive: true })
  })

  async function damagedCopy(damage: (copy: string) => Promise<unknown>): Promise<string> {
    const copy = path.join(folder, crypto.randomUUID())
    await cp(healthy, copy, { recursive: true })
    await damage(copy)
    return copy
  }

  test.each(['invoices.db', 'organizations.db', 'simulator/submissions.db'])('%s', async (file) => {
    const copy = await damagedCopy(async (root) => {
      await writeFile(path.join(root, file), Buffer.alloc(50_000, 'garbage '))
      // From a log left beside it, SQLite would fix the file.
      await rm(path.join(root, `${file}-wal`), { force: true })
    })
    expectClearError(await start({ DATA_DIR: copy }), path.basename(file), /damaged/)
  })

  test.each(['invoices.db', 'organizations.db'])('%s cut off', async (file) => {
    const copy = await damagedCopy((root) => truncate(path.join(root, file), 1_000))
    expectClearError(await start({ DATA_DIR: copy }), file, /damaged/)
  })

  test.each(['signing.pem', 'authority.pem'])('%s', async (name) => {
    const copy = await damagedCopy((root) => truncate(path.join(root, 'signer', name), 100))
    const ended = await start({ DATA_DIR: copy })
    expectClearError(ended, name)
    expect(readLines(ended)).toHaveLength(1)
  })

  test('a folder instead of a database file', async () => {
    const copy = await damagedCopy(async (root) => {
      await rm(path.join(root, 'invoices.db'))
      await mkdir(path.join(root, 'invoices.db'))
    })
    expectClearError(await start({ DATA_DIR: copy }), 'invoices.db')
  })

  test('an empty or damaged session secret', async () => {
    for (const secret of ['', 'x']) {
      const copy = await damagedCopy((root) =>
        writeFile(path.join(root, 'gateway', 'session.secret'), secret),
      )
      expectClearError(await start({ DATA_DIR: copy }), 'session.secret')
    }
  })
})

async function withTakenPort(use: (port: number) => Promise<void>): Promise<void> {
  const port = await findFreePort()
  const taken = net.createServer()
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
  try {
    await use(port)
  } finally {
    await new Promise((resolve) => taken.close(resolve))
  }
}
