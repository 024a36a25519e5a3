/** What is measured: the built product, with its demo organization, on a folder of its own. */

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { findFreePort } from '@einvoicing/servers/ports'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { startServices } from '../stack/services'
import { startStandalone } from '../stack/standalone'
import { seedMongo, seedSqlite, untilCounted } from './seed-invoices'

export type Kind = 'standalone' | 'services'
export type Algorithm = 'ecp256' | 'rsa2048'

export interface SubjectOptions {
  algorithm?: Algorithm
  /** Nothing is cleared, drawn or archived: what remains is the creation alone. */
  held?: boolean
  /** Invoices that its organization has already. */
  stored?: number
}

export interface Subject {
  kind: Kind
  url: string
  /** Of the demo organization. */
  key: string
  /** From spawn to `/readyz`. */
  startUpMs: number
  dataDir: string
  /** Where Prometheus would read what was archived. */
  metricsUrl: string
  /** Where each process on the path of a creation says how late its event loop is. */
  loopUrls: Readonly<Record<string, string>>
  /** Absent in a standalone process. */
  mongodbUrl?: string
  /** Ids by name; their children belong to them. */
  processes(): Promise<Readonly<Record<string, number>>>
  /** What is left of a load, as files to be archived, would make `work` look slow. */
  whileStopped<T>(work: () => Promise<T>): Promise<T>
  dispose(): Promise<void>
}

const common = { DEMO: '1', RATE_LIMIT_PER_MINUTE: '100000000' }
/** Port 9 (discard): no one listens, so that the platform is unavailable. */
const noPlatform = { CLEARANCE_URL: 'http://127.0.0.1:9' }
const heldServices = ['clearance', 'artefacts', 'simulator']

export function openSubject(kind: Kind, options: SubjectOptions = {}): Promise<Subject> {
  return kind === 'standalone' ? openStandalone(options) : openServices(options)
}

async function openStandalone({
  algorithm = 'ecp256',
  held,
  stored,
}: SubjectOptions): Promise<Subject> {
  const operations = `127.0.0.1:${await findFreePort()}`
  let spawnedAt = performance.now()
  const stack = await startStandalone({
    env: {
      ...common,
      SIGNER_KEY_ALGORITHM: algorithm,
      OPERATIONS_ADDRESS: operations,
      ...(held && noPlatform),
    },
  })
  const key = await readKey(stack.dataDir)
  if (stored !== undefined) {
    const organizationId = await findOrganization(stack.baseUrl, key)
    await stack.stop()
    seedSqlite(path.join(stack.dataDir, 'invoices.db'), stored, organizationId)
    // The first start fills what lists need; the second one is measured.
    await stack.restart()
    await stack.stop()
    spawnedAt = performance.now()
    await stack.restart()
  }
  const startUpMs = performance.now() - spawnedAt
  const metricsUrl = `http://${operations}/metrics`
  return {
    kind: 'standalone',
    url: stack.baseUrl,
    key,
    startUpMs,
    dataDir: stack.dataDir,
    metricsUrl,
    loopUrls: { standalone: metricsUrl },
    processes: () => Promise.resolve({ standalone: stack.pid() }),
    async whileStopped(work) {
      process.kill(stack.pid(), 'SIGSTOP')
      try {
        return await work()
      } finally {
        process.kill(stack.pid(), 'SIGCONT')
      }
    },
    dispose: stack.dispose,
  }
}

async function openServices({
  algorithm = 'ecp256',
  held,
  stored,
}: SubjectOptions): Promise<Subject> {
  const operations = `127.0.0.1:${await findFreePort()}`
  const spawnedAt = performance.now()
  const stack = await startServices({
    env: { ...common, SIGNER_KEY_ALGORITHM: algorithm, OPERATIONS_ADDRESS: operations },
  })
  const startUpMs = performance.now() - spawnedAt
  const { mongodb, artefactsHealth, invoicesHealth, signerHealth } = await stack.ports()
  const mongodbUrl = `mongodb://127.0.0.1:${mongodb}/einvoicing?directConnection=true`
  const key = await readKey(stack.dataDir)
  if (stored !== undefined) {
    await seedMongo(mongodbUrl, stored, await findOrganization(stack.baseUrl, key))
    await untilCounted(mongodbUrl)
  }
  const signalHeld = async (signal: NodeJS.Signals) => {
    for (const name of held ? heldServices : []) await stack.signal(name, signal)
  }
  await signalHeld('SIGSTOP')
  return {
    kind: 'services',
    url: stack.baseUrl,
    key,
    startUpMs,
    dataDir: stack.dataDir,
    metricsUrl: `http://127.0.0.1:${artefactsHealth}/metrics`,
    loopUrls: {
      gateway: `http://${operations}/metrics`,
      invoices: `http://127.0.0.1:${invoicesHealth}/metrics`,
      signer: `http://127.0.0.1:${signerHealth}/metrics`,
    },
    mongodbUrl,
    async processes() {
      const names = await stack.names()
      const pids = await Promise.all(names.map((name) => stack.pidOf(name)))
      return Object.fromEntries(names.map((name, index) => [name, pids[index] ?? 0]))
    },
    // Seconds after a load it is idle, and servers would miss processes that stand still.
    whileStopped: (work) => work(),
    async dispose() {
      await signalHeld('SIGCONT')
      await stack.dispose()
    },
  }
}

/** Of the demo: an invoice names it. */
async function findOrganization(url: string, key: string): Promise<string> {
  const body = { ...anInvoice(), draft: true }
  const { data } = await requestJson('POST', `${url}/v1/invoices`, { key, body })
  return (data as { organizationId: string }).organizationId
}

/** The file is written when the service is ready already. */
async function readKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'demo.env')
  const text = await eventually(() => readFile(file, 'utf8'))
  const [key] = /svc_sk_[A-Za-z0-9]+/.exec(text) ?? []
  if (key === undefined) throw new Error(`${file} holds no key`)
  return key
}
