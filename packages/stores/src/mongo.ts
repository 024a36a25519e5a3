// A write is on the disks of a majority before it is answered, and a read sees only that. The start
// fails on what cannot recover; an unavailable server is waited for in the background.

import mongoose, { type Connection, type ConnectOptions, type mongo } from 'mongoose'
import { within } from '@einvoicing/runtime/deadline'
import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'
import { databaseName, withPassword, type MongoConfig } from './mongo-config'
import {
  describeFailure,
  isTransient,
  readFailure,
  checkServer,
  writeFailure,
} from './mongo-failures'
import { migrate, type MongoMigrations } from './mongo-migrations'
import { limitReads } from './mongo-read-limit'
import { unavailable } from '@einvoicing/domain/api-error'
import { readSecretFile } from '@einvoicing/runtime/secret-file'

type Db = mongo.Db

export interface MongoTimes {
  answerMs: number
  readMs: number
  selectionMs: number
  startMs: number
}

const usualTimes: MongoTimes = {
  // A call between services may take 10 s and uses the store twice, to read and to write.
  answerMs: 4_000,
  // The server ends a read a little earlier by itself, so that the connection survives.
  readMs: 3_500,
  selectionMs: 3_000,
  // A start does not wait longer for the server; for an index that it builds, it does (0173).
  startMs: 10_000,
}

const againMs = 1_000
const connectionKey = 'connection'

export interface MongoOptions {
  what: string
  migrations: MongoMigrations
  log: Log
  times?: Partial<MongoTimes> | undefined
}

export interface Mongo {
  /** Throws SERVICE_UNAVAILABLE on passing failures; others are defects. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** As `read`, but says that nothing was stored only when that is known. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>
  check(): Promise<void>
  close(): Promise<void>
}

const toConnectionOptions = ({ answerMs, selectionMs }: MongoTimes): ConnectOptions => ({
  serverSelectionTimeoutMS: selectionMs,
  connectTimeoutMS: selectionMs,
  socketTimeoutMS: answerMs,
  waitQueueTimeoutMS: selectionMs,
  heartbeatFrequencyMS: 2_000,
  maxPoolSize: 50,
  retryWrites: true,
  retryReads: true,
  readPreference: 'primary',
  readConcernLevel: 'majority',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: answerMs },
  ignoreUndefined: true,
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
})

export async function openMongo(config: MongoConfig, options: MongoOptions): Promise<Mongo> {
  const { url, passwordFile } = config
  const password = passwordFile && (await readSecretFile('MONGODB_PASSWORD_FILE', passwordFile))
  const opening = new Opening(password ? withPassword(url, password) : url, config, options)
  await opening.begun
  const { what } = options
  const { answerMs } = opening.times
  return {
    async read(work) {
      const db = opening.database()
      return bounded(answerMs, work(db), (error) => readFailure(what, error))
    },
    async write(work) {
      const db = opening.database()
      return bounded(answerMs, work(db), (error) => writeFailure(what, error))
    },
    async check() {
      const db = opening.database()
      await bounded(answerMs, proveWritable(db), (error) => readFailure(what, error))
    },
    close: () => opening.close(),
  }
}

function openOutages({ what, log }: MongoOptions) {
  return {
    unreachable: new Outage({
      log,
      startMessage: `${what} is unreachable`,
      endMessage: `${what} is reachable again`,
    }),
    unusable: new Outage({
      log,
      level: 'error',
      startMessage: `${what} cannot be used`,
      endMessage: `${what} can be used again`,
    }),
  }
}

class Opening {
  /** Resolves when the database is usable, or when the server is unreachable. */
  readonly begun: Promise<void>
  readonly times: MongoTimes
  private connection: Connection | undefined
  /** Cached: the driver builds its options for each one. */
  private db: Db | undefined
  private reason: unknown = new Error('not connected yet')
  private closing = false
  private isMigrating = false
  private endPause: (() => void) | undefined
  private readonly ended: Promise<void>
  private readonly url: string
  private readonly config: MongoConfig
  private readonly options: MongoOptions
  private readonly outages: Record<'unreachable' | 'unusable', Outage>

  constructor(url: string, config: MongoConfig, options: MongoOptions) {
    this.url = url
    this.config = config
    this.options = options
    this.times = { ...usualTimes, ...options.times }
    this.outages = openOutages(options)
    const { startMs } = this.times
    const first = this.attempt()
    const unreached = new Promise<void>((resolve) => {
      setTimeout(() => {
        if (this.isMigrating) options.log.info(`${options.what}: building indexes before it starts`)
        else resolve()
      }, startMs).unref()
    })
    this.begun = Promise.race([first, unreached])
    // A failure that comes later than `unreached` has not ended the start.
    this.ended = first
      .catch(() => this.begun)
      .then(
        () => this.tryAgain(),
        () => undefined,
      )
  }

  database(): Db {
    if (this.db) return this.db
    throw unavailable(this.options.what, this.reason)
  }

  async close(): Promise<void> {
    this.closing = true
    this.endPause?.()
    await this.ended
    await this.connection?.destroy(true)
  }

  private async tryAgain(): Promise<void> {
    while (!this.connection && !this.closing) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, againMs)
        this.endPause = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      // The start has already succeeded: a permanent error can only be reported.
      await this.attempt().catch((error: unknown) => (this.reason = error))
    }
  }

  private async attempt(): Promise<void> {
    try {
      await this.prepare()
      this.connection = await this.connect(toConnectionOptions(this.times))
      this.db = limitReads(this.databaseOn(this.connection), this.times.readMs)
      for (const outage of Object.values(this.outages)) outage.recovered(connectionKey)
    } catch (error) {
      const problem = describeFailure(error)
      this.reason = problem ?? error
      const { message } = this.reason as Error
      const outage = problem ? this.outages.unusable : this.outages.unreachable
      outage.failed(connectionKey, { reason: message, againInMs: againMs })
      if (problem ?? !isTransient(error)) throw this.reason as Error
    }
  }

  /** On a connection of its own: building an index may take longer than any answer. */
  private async prepare(): Promise<void> {
    const usual = toConnectionOptions(this.times)
    const connection = await this.connect({ ...usual, socketTimeoutMS: 0, maxPoolSize: 1 })
    try {
      const database = this.databaseOn(connection)
      await checkServer(database)
      this.isMigrating = true
      await migrate(database, this.options.migrations)
    } finally {
      this.isMigrating = false
      await connection.destroy(true)
    }
  }

  private async connect(options: ConnectOptions) {
    const connection = mongoose.createConnection(this.url, options)
    try {
      return await connection.asPromise()
    } catch (error) {
      await connection.destroy(true)
      throw error
    }
  }

  private databaseOn(connection: Connection): Db {
    return connection.getClient().db(databaseName(this.config))
  }
}

/** The driver bounds each step; this bounds their sum, retries included. */
async function bounded<T>(
  answerMs: number,
  work: Promise<T>,
  failure: (error: unknown) => unknown,
): Promise<T> {
  const late = () => new mongoose.mongo.MongoNetworkTimeoutError(`no answer in ${answerMs} ms`)
  try {
    return await within(answerMs, work, late)
  } catch (error) {
    throw failure(error)
  }
}

async function proveWritable(db: Db): Promise<void> {
  const hello = await db.command({ hello: 1 })
  if (hello['isWritablePrimary'] !== true) {
    throw new mongoose.mongo.MongoNetworkError('no primary accepts writes')
  }
}
