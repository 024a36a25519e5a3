/** Only the first version of a key counts: later ones and delete markers change nothing. */

import type { Clock } from '@einvoicing/runtime/clock'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import type { S3ObjectsConfig } from '../../config'
import { sha256Hex } from '../digest'
import { keySegments, ObjectTaken, type Objects, type StoredObject } from '../objects'
import { checkBucket, prepareBucket } from './bucket'
import { S3Connection } from './connection'
import {
  addVersion,
  findFirstVersion,
  hasBytes,
  isLocked,
  isSufficient,
  listKeys,
  lockVersion,
  readVersion,
  type Lock,
} from './versions'

// A checked lock vouches this long for objects put with the same headers.
const lockProvenForMs = 60_000
// Another writer may be in the middle of its request when ours fails.
const attempts = 3

/** Succeeds while the server is unavailable; throws `SettingsError` for a wrong setting. */
export async function openS3Objects(
  config: S3ObjectsConfig,
  { now, log, silenceMs }: { now: Clock; log: Log; silenceMs?: number },
): Promise<Objects> {
  const secretKey = await readSecretFile('S3_SECRET_KEY_FILE', config.secretKeyFile)
  const { url, bucket, region, accessKey } = config
  const place = { url, bucket, region, accessKey }
  const connection = new S3Connection(place, secretKey, silenceMs)
  const objects = new S3Objects(connection, { now, log })
  try {
    await objects.check()
  } catch (err) {
    const why = err instanceof ApiError ? err.cause : err
    if (why instanceof SettingsError || !(err instanceof ApiError)) {
      connection.close()
      throw why
    }
    log.warn({ reason: String(why), url, bucket }, 'archive unavailable, retrying')
  }
  return objects
}

class S3Objects implements Objects {
  private readonly connection: S3Connection
  private readonly now: Clock
  private readonly log: Log
  private preparing: Promise<void> | undefined
  private prepared = false
  private lockedAt = -Infinity
  /** Its answers with an object contain the lock. */
  private saysLock = true
  /** The server added a version to an existing key. */
  private mustLookFirst = false

  constructor(connection: S3Connection, { now, log }: { now: Clock; log: Log }) {
    this.connection = connection
    this.now = now
    this.log = log
  }

  async put(key: string, object: StoredObject): Promise<void> {
    checkObject(key, object)
    await this.prepareOnce()
    const added = this.mustLookFirst ? undefined : await this.addVersion(key, object)
    if (added === undefined) return this.findOrPut(key, object)
    await this.lookAt(key, added, object)
  }

  async add(key: string, object: StoredObject): Promise<boolean> {
    if (!this.hasLockedLately()) return isSame(this.put(key, object))
    checkObject(key, object)
    if ((await this.addVersion(key, object)) !== undefined) return true
    const first = await findFirstVersion(this.connection, key)
    if (first === undefined) return isSame(this.put(key, object))
    return isSame(this.acceptStored(key, first.versionId, object))
  }

  async get(key: string): Promise<StoredObject | undefined> {
    keySegments(key)
    await this.prepareOnce()
    const first = await findFirstVersion(this.connection, key)
    if (first === undefined) return undefined
    const { lock: _lock, ...object } = await readVersion(this.connection, key, first.versionId)
    return object
  }

  async list(after: string | undefined, count: number): Promise<string[]> {
    await this.prepareOnce()
    return listKeys(this.connection, after, count)
  }

  /** Writes nothing: a probe would have to be retained for ten years. */
  async check(): Promise<void> {
    if (this.prepared) await toUnavailable(checkBucket(this.connection))
    else await this.prepareOnce()
  }

  async close(): Promise<void> {
    this.connection.close()
  }

  private async prepareOnce(): Promise<void> {
    if (this.prepared) return
    this.preparing ??= toUnavailable(prepareBucket(this.connection, this.log))
      .then(() => {
        this.prepared = true
      })
      .finally(() => {
        this.preparing = undefined
      })
    await this.preparing
  }

  private async addVersion(key: string, object: StoredObject): Promise<string | undefined> {
    try {
      return await addVersion(this.connection, key, { object, now: this.now() })
    } catch (error) {
      // MinIO's answer when the bucket is missing or has no lock.
      const isInvalid = error instanceof ApiError && /InvalidRequest/.test(String(error.cause))
      if (isInvalid) await toUnavailable(checkBucket(this.connection))
      throw error
    }
  }

  private async findOrPut(key: string, object: StoredObject): Promise<void> {
    for (let attempt = 0; attempt <= attempts; attempt += 1) {
      const first = await findFirstVersion(this.connection, key)
      if (first !== undefined) return this.acceptStored(key, first.versionId, object)
      const added = await this.addVersion(key, object)
      if (added !== undefined) return this.lookAt(key, added, object)
    }
    throw unavailable('The archive', new Error(`${key} can be neither stored nor found`))
  }

  /** A server may not know the condition, or see no object because of a delete marker. */
  private async lookAt(key: string, added: string, object: StoredObject): Promise<void> {
    const [first, lockFound] = await Promise.all([
      findFirstVersion(this.connection, key),
      this.saysLock ? this.readBack(key, added, object) : undefined,
    ])
    if (first?.versionId !== added) {
      this.mustLookFirst = true
      if (first === undefined) throw unavailable('The archive', new Error(`${key} is not listed`))
      return this.acceptStored(key, first.versionId, object)
    }
    if (!this.saysLock && !hasBytes(first, object)) await this.readBack(key, added, object)
    const isEnough = lockFound
      ? isSufficient(lockFound, object)
      : await isLocked(this.connection, key, { version: added, object })
    if (!isEnough) throw this.locksNothingError(key)
    this.lockedAt = performance.now()
  }

  private async readBack(
    key: string,
    version: string,
    object: StoredObject,
  ): Promise<Lock | undefined> {
    const { sha256, lock } = await readVersion(this.connection, key, version)
    if (sha256 !== object.sha256) throw new Error(`${key} was not stored as sent`)
    this.saysLock = lock !== undefined
    return lock
  }

  private hasLockedLately(): boolean {
    return !this.mustLookFirst && performance.now() - this.lockedAt < lockProvenForMs
  }

  private locksNothingError(key: string): ApiError {
    this.lockedAt = -Infinity
    const { url } = this.connection.place
    return unavailable(
      'The archive',
      new SettingsError([
        `S3_URL: the S3 server at ${url} stored ${key} without a lock, though its bucket has object lock: use another server.`,
      ]),
    )
  }

  private async acceptStored(key: string, version: string, object: StoredObject): Promise<void> {
    // Read whole, not only its metadata: the caller may be about to drop the only other copy.
    const stored = await readVersion(this.connection, key, version)
    if (stored.sha256 !== object.sha256) throw new ObjectTaken(key)
    await this.requireLock(key, version, object)
  }

  private async requireLock(key: string, version: string, object: StoredObject): Promise<void> {
    if (await isLocked(this.connection, key, { version, object })) return
    await lockVersion(this.connection, key, { version, object, now: this.now() })
    this.log.warn({ key, version }, 'archived object without a sufficient lock: lock added')
  }
}

function checkObject(key: string, object: StoredObject): void {
  keySegments(key)
  if (sha256Hex(object.bytes) === object.sha256) return
  throw new RangeError(`the bytes for ${key} do not have the SHA-256 given`)
}

async function isSame(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof ObjectTaken) return false
    throw error
  }
}

/** A wrong setting is only logged: callers get SERVICE_UNAVAILABLE. */
async function toUnavailable(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw error instanceof SettingsError ? unavailable('The archive', error) : error
  }
}
