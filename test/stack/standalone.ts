/**
 * Starts the built standalone service on a folder and ports of its own, and ends it in all the ways
 * that a process can end.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort, untilFree } from '@einvoicing/servers/ports'
import { spawnService, type Ended, type SpawnOptions } from './service-process'
import type { Stack } from './stack'
import { untilReady } from './until-ready'

export type Wire = 'none' | 'grpc'

export interface StandaloneOptions {
  /** How the services are joined; `none` unless said. */
  wire?: Wire
  /** Settings on top of the suite's own. */
  env?: Readonly<Record<string, string>>
  /** An existing folder; a temporary one unless said. */
  dataDir?: string
  under?: SpawnOptions['under']
  node?: SpawnOptions['node']
}

export interface Standalone extends Stack {
  simulatorUrl: string
  dataDir: string
  /** SIGTERM, and what became of it. */
  stop(): Promise<Ended>
  /** SIGKILL; resolves when the ports are free again, the simulator's too. */
  kill9(): Promise<void>
  /** Starts again on the same folder and ports, with other settings or another Node where given. */
  restart(env?: Readonly<Record<string, string>>, node?: string): Promise<void>
  isRunning(): boolean
  /** Settled when the process running last is gone, however it ended. */
  ended(): Promise<Ended>
  pid(): number
  /** All that the process running last has written. */
  output(): string
}

const readyWithinMs = 90_000

/** Leaves nothing behind when the service does not become ready. */
export async function startStandalone(options: StandaloneOptions = {}): Promise<Standalone> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'einvoicing-')))
  const [port, simulatorPort] = [await findFreePort(), await findFreePort()]
  const baseUrl = `http://127.0.0.1:${port}`
  const { under } = options
  const start = async (env: Readonly<Record<string, string>> = {}, node = options.node) => {
    const settings = suiteSettings({ dataDir, port, simulatorPort, wire: options.wire ?? 'none' })
    const service = spawnService({
      env: { ...settings, ...options.env, ...env },
      ...(under && { under }),
      ...(node && { node }),
    })
    await untilReady(service, baseUrl, readyWithinMs)
    return service
  }

  const removeData = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }

  let service = await start().catch(async (error: unknown) => {
    await removeData()
    throw error
  })
  return {
    baseUrl,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    dataDir,
    stop: () => service.signal('SIGTERM'),
    async kill9() {
      await service.signal('SIGKILL')
      await Promise.all([untilFree(port), untilFree(simulatorPort)])
    },
    async restart(env, node) {
      service = await start(env, node)
    },
    isRunning: () => service.isRunning(),
    ended: () => service.ended,
    pid: () => service.pid,
    output: () => service.output(),
    async dispose() {
      await service.signal('SIGTERM')
      await removeData()
    },
  }
}

interface Place {
  dataDir: string
  port: number
  simulatorPort: number
  wire: Wire
}

/** What every process of the suites runs with; a rate limit that no test meets by accident. */
export function suiteSettings({ dataDir, port, simulatorPort, wire }: Place) {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    SIMULATOR_PORT: String(simulatorPort),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '100000',
    WIRE: wire,
  }
}
