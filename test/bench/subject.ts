import { startServices } from '../stack/services'
import { startStandalone } from '../stack/standalone'

export interface Subject {
  url: string
  /** Of the demo organization. */
  key: string
  /** From spawn to `/readyz`. */
  startUpMs: number
  dataDir: string
  /** Where MongoDB keeps the invoices; absent in a standalone process. */
  mongodbUrl?: string
  dispose(): Promise<void>
}

const env = { DEMO: '1', RATE_LIMIT_PER_MINUTE: '1000000' }

export async function openStandalone(): Promise<Subject> {
  const spawnedAt = performance.now()
  const stack = await startStandalone({ env })
  const startUpMs = performance.now() - spawnedAt
  const { baseUrl, dataDir } = stack
  return { url: baseUrl, key: keyIn(stack.output()), startUpMs, dataDir, dispose: stack.dispose }
}

export async function openServices(): Promise<Subject> {
  const spawnedAt = performance.now()
  const stack = await startServices({ env })
  const startUpMs = performance.now() - spawnedAt
  const { baseUrl, dataDir } = stack
  const { mongodb } = await stack.ports()
  return {
    url: baseUrl,
    key: keyIn(await stack.output()),
    startUpMs,
    dataDir,
    mongodbUrl: `mongodb://127.0.0.1:${mongodb}/?directConnection=true`,
    dispose: stack.dispose,
  }
}

function keyIn(output: string): string {
  const [key] = /svc_sk_[A-Za-z0-9]+/.exec(output) ?? []
  if (key === undefined) throw new Error('the service printed no demo key')
  return key
}
