/** The real simulator as a process, whose time-stamp authority stamps. */

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'

const main = path.join(__dirname, '../../../simulator/src/main.ts')

export interface Sandbox {
  tsaUrl: string
  behave(patch: object): Promise<void>
  stop(): Promise<void>
}

export async function startSandbox({ crlSeconds = 3_600 } = {}): Promise<Sandbox> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'))
  const child = spawn(process.execPath, runUnbuilt(main), {
    env: {
      PATH: process.env['PATH'],
      SIMULATOR_PORT: '0',
      SIMULATOR_DATA_DIR: folder,
      SANDBOX_CRL_SECONDS: String(crlSeconds),
      SIMULATOR_TRUSTED_CERTIFICATES: path.join(__dirname, 'trusted-certificate.pem'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${await readPort(child)}`
  return {
    tsaUrl: `${url}/tsa`,
    async behave(patch) {
      const body = JSON.stringify(patch)
      const answer = await fetch(`${url}/v1/behaviour`, { method: 'PUT', body })
      if (!answer.ok) throw new Error(await answer.text())
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** From the line it logs once it listens. */
async function readPort({ stdout }: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: stdout! })) {
    const { port } = JSON.parse(line) as { port?: number }
    if (port !== undefined) return port
  }
  throw new Error('the simulator ended before it listened')
}
