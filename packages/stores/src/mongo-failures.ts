import mongoose, { type mongo } from 'mongoose'
import { isConnectionFailure } from '@einvoicing/runtime/connection-failures'
import { SettingsError } from '@einvoicing/runtime/env'
import { needsLonger, noAnswer, unavailable } from '@einvoicing/domain/api-error'

const { mongo: driver } = mongoose

// The oldest with partial indexes by `$in` and labels on retries that write nothing.
const versionMin = 6

const authenticationFailed = 18
const unauthorized = 13
const duplicateKey = 11_000
const maxTimeExpired = 50

/** Elections, shutdowns, timeouts, what a restart ended, a full disk, rights being changed. */
export const transientErrorCodes: ReadonlySet<number> = new Set([
  6, 7, 11, 13, 18, 24, 43, 46, 50, 63, 64, 89, 91, 100, 112, 133, 134, 150, 175, 189, 202, 225,
  234, 237, 246, 251, 262, 279, 290, 317, 391, 462, 9001, 10_058, 10_107, 11_600, 11_601, 11_602,
  13_388, 13_435, 13_436, 14_031, 16_500,
])

export function isDuplicateKey(failed: unknown): boolean {
  // The failure of one write of a bulk is of no class that the driver exports.
  return failed instanceof Object && 'code' in failed && failed.code === duplicateKey
}

export function toWriteError({ code, errmsg }: mongo.WriteError): Error {
  return Object.assign(new Error(errmsg ?? `write error ${code}`), { code })
}

export function readFailure(what: string, error: unknown): unknown {
  if (error instanceof driver.MongoServerError && error.code === maxTimeExpired) {
    return needsLonger(what, error)
  }
  return isTransient(error) ? unavailable(what, error) : error
}

/** Without an answer it may have been applied; a retry without a server does not change that. */
export function writeFailure(what: string, error: unknown): unknown {
  return isTransient(error) ? noAnswer(what, error) : error
}

export function isTransient(error: unknown): boolean {
  if (error instanceof driver.MongoBulkWriteError) {
    const { result } = error
    // Otherwise it wraps the driver's own error: a broken connection.
    const isDrivers = result.getWriteErrorCount() === 0
    return isDrivers || result.getWriteConcernError() !== undefined || hasTransientCode(error)
  }
  if (error instanceof driver.MongoWriteConcernError) return true
  if (error instanceof driver.MongoServerError)
    return hasTransientCode(error) || hasTransientLabel(error)
  const isUnreachable = unreachableClasses.some((kind) => error instanceof kind)
  return isUnreachable || hasTransientCode(error) || isCutCommit(error)
}

// The driver (7.8) asks for the labels of any failed commit, but a broken socket's error has none.
function isCutCommit(error: unknown): boolean {
  return error instanceof TypeError && /commitError\.hasErrorLabel/.test(error.message)
}

function hasTransientLabel(error: mongo.MongoError): boolean {
  return ['TransientTransactionError', 'UnknownTransactionCommitResult'].some((label) =>
    error.hasErrorLabel(label),
  )
}

const unreachableClasses = [
  driver.MongoNetworkError,
  driver.MongoSystemError,
  driver.MongoNotConnectedError,
  driver.MongoTopologyClosedError,
  driver.MongoClientClosedError,
  driver.MongoExpiredSessionError,
  mongoose.Error.MongooseServerSelectionError,
]

const transientNames = /^Mongo(WaitQueueTimeout|PoolClosed|PoolCleared|ServerClosed)Error$/

function hasTransientCode(error: unknown): boolean {
  if (isConnectionFailure(error)) return true
  if (!(error instanceof Error)) return false
  const { name, code } = error as Error & { code?: unknown }
  if (transientNames.test(name)) return true
  return typeof code === 'number' && transientErrorCodes.has(code)
}

export function describeFailure(error: unknown): SettingsError | undefined {
  if (error instanceof SettingsError) return error
  const sentence = toSentence(error)
  return sentence === undefined ? undefined : new SettingsError([sentence])
}

function toSentence(error: unknown): string | undefined {
  if (error instanceof driver.MongoServerError && error.code === authenticationFailed) {
    return 'MONGODB_URL: the server refuses the user or the password: check both, MONGODB_PASSWORD_FILE, and authSource'
  }
  if (error instanceof driver.MongoServerError && error.code === unauthorized) {
    return 'MONGODB_URL: the user lacks a permission: grant it the role readWrite on the database'
  }
  if (error instanceof driver.MongoCompatibilityError) return tooOld()
  if (unusable.some((kind) => error instanceof kind)) {
    return `MONGODB_URL cannot be used: ${withoutAddress((error as Error).message)}`
  }
  if (isSelectionError(error)) return findSelectionError(error)
  return undefined
}

const unusable = [
  driver.MongoParseError,
  driver.MongoInvalidArgumentError,
  driver.MongoMissingCredentialsError,
  driver.MongoMissingDependencyError,
]

type SelectionError = Pick<mongo.MongoServerSelectionError, 'reason' | 'message'>

function isSelectionError(error: unknown): error is SelectionError {
  return (
    error instanceof driver.MongoServerSelectionError ||
    error instanceof mongoose.Error.MongooseServerSelectionError
  )
}

function findSelectionError({ reason, message }: SelectionError): string | undefined {
  if (/wire version/.test(message)) return tooOld()
  // Servers that answer but belong to another set, or to none, are removed from the list.
  if (reason?.servers.size !== 0) return undefined
  const named = reason.setName ? `the replica set "${reason.setName}"` : 'one replica set'
  return `MONGODB_URL: none of its servers is a member of ${named}: check replicaSet, and that mongod runs with --replSet`
}

/** Throws `SettingsError` when the server answers but cannot be used. */
export async function checkServer(db: mongo.Db): Promise<void> {
  const { version } = (await db.admin().command({ buildInfo: 1 })) as { version: string }
  const old = tooOld(version)
  if (old !== undefined) throw new SettingsError([old])
  const hello = await db.admin().command({ hello: 1 })
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
    throw new SettingsError([
      'MONGODB_URL names a server that is not in a replica set, so it could lose confirmed writes: start mongod with --replSet and initiate the set; one member is enough',
    ])
  }
}

/** The driver's error does not name the version. */
export function tooOld(version?: string): string | undefined {
  if (version !== undefined && Number.parseInt(version, 10) >= versionMin) return undefined
  const found = version ?? 'older than the driver can talk to'
  return `MONGODB_URL: MongoDB ${versionMin}.0 or later is needed, the server is ${found}: upgrade it`
}

/** The driver may quote the address, and with it a password. */
function withoutAddress(message: string): string {
  return message.replace(/mongodb(\+srv)?:\/\/\S*/gi, '…')
}
