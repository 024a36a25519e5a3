/**
 * Starts every service as a process of its own, on real servers, by the command an operator would
 * use, and hurts them one by one.
 */

import { mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort, findFreeRow } from '@einvoicing/servers/ports'
import { eventually } from '@einvoicing/servers/eventually'
import { spawnService, type Ended, type SpawnOptions } from './service-process'
import type { Stack } from './stack'
import { untilReady } from './until-ready'

/** What the command starts them on. */
export const backingServices = [
  'mongod',
  'nats-server',
  'minio',
  'redis-server',
  'softhsm',
] as const

export interface ServicesOptions {
  gateways?: number
  /** Of each service behind the gateways. */
  instances?: number
  /**
   * Settings on top of the suite's own: the address of a backing service that the test runs itself.
   */
  env?: Readonly<Record<string, string>>
  node?: SpawnOptions['node']
}

export interface Services extends Stack {
  simulatorUrl: string
  /** Of every gateway. */
  urls: readonly string[]
  dataDir: string
  /** Services and backing services that run now. */
  names(): Promise<string[]>
  /** Undefined while it is being started again. */
  pidOf(name: string): Promise<number | undefined>
  /** As `readPorts`. */
  ports(): Promise<Record<string, number>>
  /** To a service or backing service; it is started again by itself when it ends. */
  signal(name: string, signal: NodeJS.Signals): Promise<void>
  /** Resolves when every gateway is ready again. */
  untilReady(): Promise<void>
  /** SIGTERM to all, and what became of it. */
  stop(): Promise<Ended>
  /** Starts them again, on the same folder and ports. */
  restart(): Promise<void>
  /** What the launcher and its processes have written. */
  output(): Promise<string>
}

const startWithinMs = 90_000

export async function startServices(options: ServicesOptions = {}): Promise<Services> {
  const { gateways = 1, instances = 1 } = options
  const dataDir = await mkdtemp(path.join(tmpdir(), 'einvoicing-services-'))
  const [port, simulatorPort] = [await findFreeRow(gateways), await findFreePort()]
  const urls = Array.from({ length: gateways }, (_, index) => `http://127.0.0.1:${port + index}`)
  const launch = () =>
    spawnService({
      main: 'services',
      ...(options.node && { node: options.node }),
      env: {
        PORT: String(port),
        GATEWAYS: String(gateways),
        INSTANCES: String(instances),
        SIMULATOR_PORT: String(simulatorPort),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        RATE_LIMIT_PER_MINUTE: '100000',
        ...options.env,
      },
    })
  let launcher = launch()
  const logs = () => readLogs(dataDir)
  const dispose = async () => {
    await launcher.signal('SIGTERM')
    await saveLogs(dataDir).catch(() => undefined)
    await rm(dataDir, { recursive: true, force: true })
  }
  const untilAllReady = async () => {
    for (const url of urls) await untilReady(launcher, url, startWithinMs)
  }
  const untilStarted = async () => {
    await untilAllReady()
    // The simulator is started last, and the demo's key is printed then.
    await eventually(async () => {
      if (!launcher.output().includes('ready on')) throw new Error('the launcher is not done')
    })
  }
  try {
    await untilStarted()
  } catch (error) {
    const output = await logs()
    await dispose()
    throw new Error(`the services did not start:\n${output}`, { cause: error })
  }
  const processes = () => readNumbers(dataDir, 'processes.json')
  return {
    baseUrl: urls[0]!,
    urls,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    dataDir,
    names: async () => Object.keys(await processes()),
    pidOf: async (name) => (await processes())[name],
    ports: () => readPorts(dataDir),
    async signal(name, signal) {
      // What has just ended by itself is listed until it is started again.
      await eventually(async () => {
        const pid = (await processes())[name]
        if (pid === undefined) throw new Error(`${name} is not running`)
        process.kill(pid, signal)
      }, 30_000)
    },
    untilReady: untilAllReady,
    stop: () => launcher.signal('SIGTERM'),
    async restart() {
      launcher = launch()
      await untilStarted()
    },
    output: async () => `${launcher.output()}${await logs()}`,
    dispose,
  }
}

/** For `test/jest/logged-meanwhile.js`, which looks after the file's last test. */
async function saveLogs(dataDir: string): Promise<void> {
  const folder = process.env['TEST_OUTPUT']
  if (folder === undefined) return
  const logs = path.join(dataDir, 'logs')
  for (const name of await readdir(logs)) {
    await rename(path.join(logs, name), path.join(folder, `${path.basename(dataDir)}-${name}`))
  }
}

/** Of services (gRPC), backing services, and `invoicesHealth`, `signerHealth`… */
export const readPorts = (dataDir: string) => readNumbers(dataDir, 'ports.json')

async function readNumbers(dataDir: string, name: string): Promise<Record<string, number>> {
  return JSON.parse(await readFile(path.join(dataDir, name), 'utf8')) as Record<string, number>
}

async function readLogs(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, 'logs')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  return texts.map((text, index) => `--- ${names[index]}\n${text}`).join('\n')
}
