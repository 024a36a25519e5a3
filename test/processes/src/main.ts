/**
 * Every service as a process of its own on one machine, with real backing services: those whose
 * address is not set are started here. What ends is started again.
 */

import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import { createLog, type Log } from '@einvoicing/runtime/log'
import { exitOnError, openAndServe, type Closable } from '@einvoicing/runtime/serve'
import { lockDataFolder, warnOfOpenFolder } from '@einvoicing/standalone/data-folder'
import { findDemoFile, writeDemoFile } from '@einvoicing/standalone/demo-file'
import { welcome } from './banner'
import { readLauncherConfig, type LauncherConfig } from './config'
import {
  keepRunning,
  findPid,
  startServers,
  stopServers,
  type RunningServer,
} from './backing-services'
import { openPorts, rejectTaken } from './ports'
import { programs, simulator, type Place } from './programs'
import { openSecrets } from './secrets'
import { openSigningKey } from './signing-key'
import { StartWatch } from './start-watch'
import { supervise, type Program, type Supervised } from './supervisor'

// Processes stop one after another, each with some twenty seconds.
const stopMaxMs = 120_000

async function main(): Promise<void> {
  const config = readLauncherConfig(process.env)
  const log = createLog(config.logLevel)
  await openAndServe(log, (opened) => open(config, log, opened), { stopMaxMs })
}

async function open(config: LauncherConfig, log: Log, opened: Closable[]): Promise<void> {
  const { dataDir, external } = config
  opened.push(lockDataFolder(dataDir))
  warnOfOpenFolder(dataDir, log)
  const logDir = path.join(dataDir, 'logs')
  await mkdir(logDir, { recursive: true, mode: 0o700 })
  const gatewayPorts = Array.from({ length: config.gateways }, (_, index) => config.port + index)
  await rejectTaken([
    ...gatewayPorts.map((port) => ['PORT', port] as const),
    ['SIMULATOR_PORT', config.simulatorPort],
  ])
  const [ports, secrets] = [await openPorts(dataDir), await openSecrets(dataDir)]

  const backingServices = await startServers({ dataDir, ports, secrets, external })
  opened.push({ close: () => stopServers(backingServices) })
  const reported = Object.assign({}, ...backingServices.map(({ settings }) => settings)) as Settings
  const environment = ownEnvironment()
  const place: Place = {
    config,
    ports,
    secrets,
    settings: { ...environment, ...reported },
    keySettings: await openSigningKey({ dataDir, secrets, external, environment, log }),
  }
  // Only a demo needs the code of a service.
  const demo = config.demo
    ? await (await import('./demo.js')).makeDemo(place.settings, log)
    : undefined

  const running: Supervised[] = []
  let recorded = Promise.resolve()
  const record = () => {
    // One after another: processes that start at once must not leave an older list.
    recorded = recorded
      .then(() => writeProcesses(dataDir, { running, backingServices }))
      .catch((err: unknown) => log.error({ err }, 'processes.json not written'))
  }
  const start = new StartWatch()
  const run = (program: Program) => {
    running.push(supervise(program, { logDir, log, onStart: record, onStartError: start.fail }))
  }
  opened.push({ close: () => stopInOrder(running) })
  opened.push(keepRunning(backingServices, { log, onStart: record }))
  for (const program of programs(place)) run(program)
  await start.untilReady(ports.signerHealth)
  run(simulator(place))
  for (const port of gatewayPorts) await start.untilReady(port)
  await start.untilReady(config.simulatorPort, '/livez')
  record()
  // Complete before any reader hears that all are ready.
  await recorded
  if (demo) await writeDemoFile(dataDir, `http://127.0.0.1:${config.port}`, demo)
  const demoFile = findDemoFile(dataDir)
  process.stdout.write(welcome({ config, demo, demoFile, logDir }))
}

type Settings = Readonly<Record<string, string>>

/** Our own folder is not the services': a backing service that is not named must be an error. */
function ownEnvironment(): Settings {
  const { DATA_DIR: _, ...environment } = process.env
  return environment as Settings
}

/** The id of each process, for people and scripts. */
async function writeProcesses(
  dataDir: string,
  {
    running,
    backingServices,
  }: { running: readonly Supervised[]; backingServices: readonly RunningServer[] },
): Promise<void> {
  const pids = [
    ...running.map((process) => [process.name, process.pid()] as const),
    ...backingServices.map(({ name, server }) => [name, findPid(server)] as const),
  ]
  const text = JSON.stringify(Object.fromEntries(pids), undefined, 2)
  await writeDurably(path.join(dataDir, 'processes.json'), `${text}\n`, 0o644)
}

/** The gateway first, so that no request meets a service that is gone. */
async function stopInOrder(running: readonly Supervised[]): Promise<void> {
  for (const one of [...running].reverse()) await one.stop()
}

exitOnError(main(), process.env)
