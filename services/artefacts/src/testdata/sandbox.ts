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
  /** The certificate that stamps is revoked; another one stamps. */
  post(what: 'revoke' | 'replace'): Promise<void>
  folder: string
  /** Leaves its folder to another with `keep`. */
  stop(keep?: 'keep'): Promise<void>
}

export interface SandboxOptions {
  crlSeconds?: number
  certificateDays?: number
  /** Of a sandbox before, whose root it then has, at its address. */
  before?: Sandbox
}

export async function startSandbox({
  crlSeconds = 3_600,
  certificateDays = 5_479,
  before,
}: SandboxOptions = {}): Promise<Sandbox> {
  const folder = before?.folder ?? (await mkdtemp(path.join(tmpdir(), 'sandbox-')))
  const child = spawn(process.execPath, runUnbuilt(main), {
    env: {
      PATH: process.env['PATH'],
      SIMULATOR_PORT: before ? new URL(before.tsaUrl).port : '0',
      SIMULATOR_DATA_DIR: folder,
      SANDBOX_CRL_SECONDS: String(crlSeconds),
      SANDBOX_TSA_CERTIFICATE_DAYS: String(certificateDays),
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
    async post(what) {
      const answer = await fetch(`${url}/tsa/${what}`, { method: 'POST' })
      if (!answer.ok) throw new Error(await answer.text())
    },
    folder,
    async stop(keep) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      if (!keep) await rm(folder, { recursive: true })
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
