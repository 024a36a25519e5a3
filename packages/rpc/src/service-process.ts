import path from 'node:path'
import { addressText, isLoopback, type Address } from '@einvoicing/runtime/address'
import type { ServiceName } from './service-name'
import {
  readCallerSecrets,
  readCallerSecretsConfig,
  type CallerSecrets,
  type CallerSecretsConfig,
} from './caller-secrets'
import { systemClock, type Clock } from '@einvoicing/runtime/clock'
import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { createLog, logLevels, type Log, type LogLevel } from '@einvoicing/runtime/log'
import { setHeapFlags } from '@einvoicing/runtime/memory'
import { collectRuntimeMetrics } from '@einvoicing/runtime/metrics'
import type { Contract, Service } from './call'
import { connectRpc } from './client'
import type { PeerNames } from './prove-callers'
import { serveRpc } from './server'
import { warnOfOpenSecrets } from '@einvoicing/runtime/secret-file'
import {
  closeAll,
  createCloseAtEnd,
  exitOnError,
  openAndServe,
  type Closable,
  type CloseAtEnd,
  type Fail,
} from '@einvoicing/runtime/serve'
import { openCredentials, readTlsConfig } from './tls'
import type { TlsConfig } from './tls-files'
import { openTracing } from '@einvoicing/runtime/trace'
import { readTraceConfig, type TraceConfig } from '@einvoicing/runtime/trace-config'

export interface Main<S> {
  /** Without `dataDir`, for embedded stores, every backing service must be set. */
  read: (env: EnvReader, dataDir: string | undefined) => S
  open: (settings: S, process: ServiceProcess) => Promise<void>
}

export interface ServiceProcess {
  now: Clock
  log: Log
  /** Before the parts registered earlier. */
  closeAtEnd: CloseAtEnd
  /** `target` as `EnvReader.peer` reads it. */
  connect: <C extends Contract>(contract: C, target: string) => Service<C>
  fail: Fail
  serve: <C extends Contract>(contract: C, endpoint: Endpoint<C>) => Promise<void>
}

export interface Endpoint<C extends Contract> {
  address: Address
  handlers: Service<C>
}

export interface Command<S> {
  read: Main<S>['read']
  run: (settings: S, process: Omit<ServiceProcess, 'serve'>) => Promise<number>
}

/** Until SIGTERM or SIGINT; exits with status 1 and one sentence when it cannot start. */
export function runProcess<S>(
  name: ServiceName,
  environment: NodeJS.ProcessEnv,
  main: Main<S>,
): void {
  exitOnError(run(name, new EnvReader(environment), main), environment)
}

export async function executeCommand<S>(
  name: ServiceName,
  environment: NodeJS.ProcessEnv,
  command: Command<S>,
): Promise<number> {
  const env = new EnvReader(environment)
  const config = readProcessConfig(env)
  const settings = readSettings(env, command.read)
  const log = createLog('warn', process.stderr)
  const opened: Closable[] = []
  try {
    const callerSecrets = await readCallerSecrets(name, config.callerSecrets, log)
    const fail: Fail = (err) => log.error({ err }, 'a component failed')
    return await command.run(
      settings,
      serviceProcess({ ...config, name, callerSecrets, log, opened, fail }),
    )
  } finally {
    await closeAll(opened, log)
  }
}

function readSettings<S>(env: EnvReader, read: Main<S>['read']): S {
  const dataDir = env.optionalText('DATA_DIR')
  const settings = read(env, dataDir && path.resolve(dataDir))
  env.throwErrors()
  return settings
}

async function run<S>(name: ServiceName, env: EnvReader, { read, open }: Main<S>): Promise<void> {
  const config = readProcessConfig(env)
  const settings = readSettings(env, read)

  setHeapFlags({ growingPercent: 200 })
  const log = createLog(config.logLevel).child({ service: name })
  await warnOfOpenSecrets(env.secretFiles, log)
  collectRuntimeMetrics()
  await openAndServe(log, async (opened, fail) => {
    // Opened first, and so closed last: spans that end during the stop are exported too.
    opened.push(await openTracing(config.tracing, { service: name, log }))
    const callerSecrets = await readCallerSecrets(name, config.callerSecrets, log)
    await open(settings, serviceProcess({ ...config, name, callerSecrets, log, opened, fail }))
    log.info('ready')
  })
}

interface ProcessConfig {
  logLevel: LogLevel
  callerSecrets: CallerSecretsConfig
  peerNames: PeerNames
  /** Absent: plain text between services. */
  tls: TlsConfig | undefined
  tracing: TraceConfig | undefined
}

function readProcessConfig(env: EnvReader): ProcessConfig {
  return {
    logLevel: env.oneOf('LOG_LEVEL', logLevels, 'info'),
    callerSecrets: readCallerSecretsConfig(env),
    peerNames: env.oneOf('TLS_PEER_NAMES', ['service', 'any'], 'service'),
    tls: readTlsConfig(env),
    tracing: readTraceConfig(env),
  }
}

interface ProcessParts {
  name: ServiceName
  callerSecrets: CallerSecrets
  peerNames: PeerNames
  tls: TlsConfig | undefined
  log: Log
  opened: Closable[]
  fail: Fail
}

function serviceProcess(parts: ProcessParts): ServiceProcess {
  const { name, callerSecrets, peerNames, tls, log, opened, fail } = parts
  const closeAtEnd = createCloseAtEnd(opened)
  const credentials = closeAtEnd(openCredentials(tls, log))
  return {
    now: systemClock,
    log,
    closeAtEnd,
    fail,
    connect: (contract, address) =>
      closeAtEnd(connectRpc(contract, { address, callerSecrets, credentials: credentials.channel }))
        .service,
    serve: async (contract, { address, handlers }) => {
      if (!tls && !isLoopback(address)) {
        log.warn(
          { address },
          'calls are not encrypted: set TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_CA_FILE',
        )
      }
      const options = { name, address: addressText(address), callerSecrets, peerNames, log }
      const server = await serveRpc(contract, handlers, {
        ...options,
        credentials: credentials.server,
      }).catch(toAddressError(options.address))
      closeAtEnd(server)
      log.info({ port: server.port }, 'gRPC server listening')
    },
  }
}

function toAddressError(address: string): (error: Error) => never {
  return ({ message }) => {
    throw new SettingsError([`RPC_ADDRESS ${address}: cannot listen: ${message}`])
  }
}
