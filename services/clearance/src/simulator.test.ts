/**
 * The adapter's contract, and an invoice from event to decision, with the real simulator as a
 * process.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rootCertificates } from 'node:tls'
import { systemClock } from '@einvoicing/runtime/clock'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import { authorityContract } from './authority/authority.contract'
import { openHttpAuthority } from './authority/http'
import { startClearance } from './testdata/clearance-at-work'
import { signedEvent } from './testdata/signed'

const main = join(__dirname, '../../simulator/src/main.ts')

describe('the simulator', () => {
  let folder: string
  let simulator: ChildProcess
  let url: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clearance-'))
    const trusted = join(folder, 'trusted.pem')
    // The simulator needs an authority; these tests send nothing signed.
    await writeFile(trusted, rootCertificates[0]!)
    simulator = spawn(process.execPath, runUnbuilt(main), {
      env: {
        PATH: process.env['PATH'],
        SIMULATOR_PORT: '0',
        SIMULATOR_DATA_DIR: folder,
        SIMULATOR_TRUSTED_CERTIFICATES: trusted,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    url = `http://127.0.0.1:${await readPort(simulator)}`
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => simulator.once('exit', resolve))
    simulator.kill()
    await ended
    await rm(folder, { recursive: true })
  })

  authorityContract(async () =>
    openHttpAuthority({ url, requestDeadlineMs: 5_000, connectionsMax: 4, now: systemClock }),
  )

  it('rejects what is not an invoice, and clearance publishes that', async () => {
    const clearance = await startClearance({ config: { url } })
    await clearance.bus.publish(signedEvent('not-an-invoice'))
    await clearance.until(() => clearance.events.length === 2)
    await clearance.close()
    expect(clearance.events.map(({ type }) => type)).toEqual([
      'clearance.transmitted',
      'clearance.rejected',
    ])
    expect(clearance.events[1]?.data).toMatchObject({
      errorCode: expect.stringMatching(/^INVALID_/),
    })
  })
})

/** From the line it logs once it listens. */
async function readPort({ stdout }: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: stdout! })) {
    const { port } = JSON.parse(line) as { port?: number }
    if (port !== undefined) return port
  }
  throw new Error('the simulator ended before it listened')
}
