// Reconnects for ever, but a start fails on what cannot recover: wrong credentials, an old server.

import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import {
  connect,
  credsAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import type { BusConfig, NatsCredentials } from '../config'
import { asSettingsError } from './failures'

export interface Session {
  connection: NatsConnection
  js: JetStreamClient
  jsm: JetStreamManager
}

export interface NatsConnectorOptions {
  prepare(session: Session): Promise<void>
  log: Log
}

const serverVersionMin = [2, 10] as const
const answerMs = 4_000
const againMs = { first: 500, max: 5_000 } as const
const drainMs = 2_000

const connectionOptions = {
  name: 'einvoicing',
  timeout: answerMs,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 500,
  reconnectJitter: 500,
  // A password may be corrected at the server while we run.
  ignoreAuthErrorAbort: true,
  // A server that hangs is noticed within three of these.
  pingInterval: 5_000,
  maxPingOut: 2,
  // Capturing a stack for each publish costs a fifth of it.
  noAsyncTraces: true,
} as const

export class NatsConnector {
  /** Ends with the first attempt; rejects when a retry cannot succeed. */
  readonly started: Promise<void>
  private connection: NatsConnection | undefined
  private session: Session | undefined
  /** Counts lost connections, to recognize work that began on an earlier one. */
  private turn = 0
  private failure = new Error('not connected to NATS yet')
  private waiting: (() => void)[] = []
  private readonly outages: Record<'unreachable' | 'rejected', Outage>
  private readonly closing = new AbortController()
  private readonly ended: Promise<void>
  private readonly config: BusConfig
  private readonly options: NatsConnectorOptions

  constructor(config: BusConfig, options: NatsConnectorOptions) {
    this.config = config
    this.options = options
    this.outages = openOutages(options.log)
    this.started = this.open()
    this.ended = this.started.then(
      () => this.reconnectUntilClosed(),
      () => undefined,
    )
  }

  getSession(): Session {
    if (this.session) return this.session
    throw this.failure
  }

  isConnected(): boolean {
    return this.session !== undefined
  }

  async waitForSession(): Promise<void> {
    while (!this.session && !this.isClosing()) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  async close(): Promise<void> {
    this.closing.abort()
    this.wakeWaiting()
    const { connection } = this
    if (this.session) {
      const drained = this.session.connection.drain().catch(ignore)
      await Promise.race([drained, delay(drainMs, undefined, { ref: false })])
    }
    await connection?.close()
    await this.ended
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted
  }

  private async open(): Promise<void> {
    try {
      await this.join()
    } catch (error) {
      const problem = asSettingsError(error)
      if (problem) throw problem
      this.fail(error)
    }
  }

  private async reconnectUntilClosed(): Promise<void> {
    let waitMs: number = againMs.first
    while (!this.isClosing()) {
      if (this.connection) await this.follow(this.connection)
      await delay(waitMs, undefined, { signal: this.closing.signal }).catch(ignore)
      if (this.isClosing()) return
      try {
        await this.join()
        waitMs = againMs.first
      } catch (error) {
        this.fail(error)
        waitMs = Math.min(againMs.max, 2 * waitMs)
      }
    }
  }

  private async join(): Promise<void> {
    const connection = await connect(await connectOptions(this.config))
    try {
      await this.prepare(connection)
      this.connection = connection
    } catch (error) {
      await connection.close()
      throw error
    }
    if (this.isClosing()) await connection.close()
  }

  private async follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.lose()
      if (status.type === 'reconnecting') this.reportUnreachable()
      if (status.type === 'reconnect') void this.resume(connection)
      if (status.type === 'error') this.failure = asSettingsError(status.error) ?? this.failure
    }
    this.connection = undefined
    this.lose()
  }

  private lose(): void {
    this.turn += 1
    if (!this.session) return
    this.session = undefined
    this.failure = new Error('the connection to NATS was lost')
    this.reportUnreachable()
  }

  private reportUnreachable(): void {
    if (!this.isClosing()) this.outages.unreachable.failed(connectionKey, { err: this.failure })
  }

  /** JetStream may take longer to come back than the server does. */
  private async resume(connection: NatsConnection): Promise<void> {
    const { turn } = this
    while (turn === this.turn && !this.isClosing()) {
      try {
        await this.prepare(connection)
        return
      } catch (error) {
        if (turn === this.turn) this.fail(error)
        await delay(againMs.first)
      }
    }
  }

  private async prepare(connection: NatsConnection): Promise<void> {
    const { turn } = this
    rejectOldServer(connection.info?.version)
    const js = jetstream(connection, { timeout: answerMs })
    const jsm = await jetstreamManager(connection, { timeout: answerMs })
    const session = { connection, js, jsm }
    await this.options.prepare(session)
    if (turn !== this.turn) return
    this.session = session
    this.options.log.info({ server: connection.getServer() }, 'connected to NATS')
    for (const outage of Object.values(this.outages)) outage.recovered(connectionKey)
    this.wakeWaiting()
  }

  private fail(error: unknown): void {
    const problem = asSettingsError(error)
    this.failure = problem ?? new Error('NATS unreachable: no answer at NATS_URL', { cause: error })
    const outage = problem ? this.outages.rejected : this.outages.unreachable
    outage.failed(connectionKey, { err: problem ?? error })
  }

  private wakeWaiting(): void {
    for (const wake of this.waiting.splice(0)) wake()
  }
}

const ignore = (): void => undefined

const connectionKey = 'connection'

function openOutages(log: Log) {
  // No other process ends this outage, however long an attempt takes.
  const forgottenMs = Infinity
  return {
    unreachable: new Outage({
      log,
      startMessage: 'NATS unreachable, retrying',
      endMessage: 'NATS reachable again',
      forgottenMs,
    }),
    rejected: new Outage({
      log,
      level: 'error',
      startMessage: 'NATS rejected the connection, retrying',
      endMessage: 'NATS no longer rejects the connection',
      forgottenMs,
    }),
  }
}

async function connectOptions(config: BusConfig): Promise<ConnectionOptions> {
  const { servers, tls, caFile, credentials } = config
  const authenticator = await authenticatorFor(credentials)
  return {
    ...connectionOptions,
    servers,
    ...(tls === 'demanded' && { tls: caFile === undefined ? {} : { ca: await readCa(caFile) } }),
    ...(authenticator && { authenticator }),
    ...toInboxPrefix(credentials),
  }
}

/** A prefix per user: the server can then deny others to read its answers. */
function toInboxPrefix(credentials: NatsCredentials): { inboxPrefix?: string } {
  if (credentials.kind !== 'password' || !/^[\w-]+$/.test(credentials.user)) return {}
  return { inboxPrefix: `_INBOX_${credentials.user}` }
}

async function authenticatorFor(credentials: NatsCredentials): Promise<Authenticator | undefined> {
  if (credentials.kind === 'password') {
    const { user, passwordFile } = credentials
    const password = await readSecretFile('NATS_PASSWORD_FILE', passwordFile)
    return usernamePasswordAuthenticator(user, password)
  }
  if (credentials.kind === 'none') return undefined
  const text = await readSecretFile('NATS_CREDENTIALS_FILE', credentials.file)
  if (text.includes('BEGIN NATS USER JWT')) {
    return credsAuthenticator(new TextEncoder().encode(text))
  }
  throw new SettingsError([
    `NATS_CREDENTIALS_FILE: ${credentials.file} contains no credentials in the format that nsc writes`,
  ])
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new SettingsError([`NATS_CA_FILE cannot be read: ${(cause as Error).message}`])
  }
}

function rejectOldServer(version = '0'): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin, minorMin] = serverVersionMin
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  throw new SettingsError([
    `NATS_URL: nats-server ${version} is too old; ${serverVersionMin.join('.')} or newer is needed, for sync_interval: always`,
  ])
}
