/**
 * A whole platform on a free loopback port over a temporary folder, with a clock that the test
 * moves.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import { readPemCertificates } from '../examination/certificates'
import type { Examine } from '../decision-loop'
import { openSimulator, type Simulator } from '../service'
import { examine } from '../examination/examine-document'
import { pem } from './documents'

export interface StartOptions {
  dataDir?: string
  examine?: Examine
  mailFolder?: string
  publicUrl?: string
}

export interface TestPlatform {
  url: string
  dataDir: string
  simulator: Simulator
  /** Moves the platform's clock forward. */
  advance(ms: number): void
  post(key: string, document: Buffer | string): Promise<Response>
  /** The submission's JSON, as soon as `isDone` holds of it. */
  read(id: string): Promise<Record<string, unknown>>
  behave(patch: object): Promise<void>
  stop(): Promise<void>
}

const certificates = readPemCertificates(pem('ca'))
const examineHere: Examine = (document, at) =>
  Promise.resolve(examine(document, { certificates, at }))

export async function startPlatform(options: StartOptions = {}): Promise<TestPlatform> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'simulator-')))
  let nowMs = Date.parse('2030-06-01T00:00:00Z')
  const simulator = await openSimulator({
    address: { host: '127.0.0.1', port: 0 },
    dataDir,
    publicUrl: options.publicUrl,
    mailFolder: options.mailFolder,
    crlSeconds: 3_600,
    tsaCertificateDays: 5_479,
    examine: options.examine ?? examineHere,
    now: () => new Date(nowMs),
    chance: Math.random,
    log: createLog('silent'),
  })
  const url = `http://127.0.0.1:${simulator.port}`
  return {
    url,
    dataDir,
    simulator,
    advance: (ms) => {
      nowMs += ms
    },
    post: (key, document) =>
      fetch(`${url}/v1/submissions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/xml', 'Idempotency-Key': key },
        body: document,
      }),
    read: async (id) => (await (await fetch(`${url}/v1/submissions/${id}`)).json()) as never,
    behave: async (patch) => {
      const answer = await putBehaviour(url, patch)
      if (!answer.ok) throw new Error(await answer.text())
    },
    stop: async () => {
      await simulator.close()
      if (!options.dataDir) await rm(dataDir, { recursive: true })
    },
  }
}

export function putBehaviour(url: string, patch: unknown): Promise<Response> {
  return fetch(`${url}/v1/behaviour`, { method: 'PUT', body: JSON.stringify(patch) })
}
