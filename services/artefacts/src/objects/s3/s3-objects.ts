/**
 * For any S3 server with object lock. Each object is put with a COMPLIANCE lock, only if the key is
 * free. The first version of a key counts: later ones and delete markers change nothing.
 */

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
  isLocked,
  listKeys,
  lockVersion,
  readVersion,
} from './versions'

// Another writer may be in the middle of its request when ours fails.
const attempts = 3

/**
 * Succeeds while the server is unavailable; throws `SettingsError` for what only a person can fix.
 */
export async function openS3Objects(
  config: S3ObjectsConfig,
  { now, log }: { now: Clock; log: Log },
): Promise<Objects> {
  const secretKey = await readSecretFile('S3_SECRET_KEY_FILE', config.secretKeyFile)
  const { url, bucket, region, accessKey } = config
  const connection = new S3Connection({ url, bucket, region, accessKey }, secretKey)
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

  constructor(connection: S3Connection, { now, log }: { now: Clock; log: Log }) {
    this.connection = connection
    this.now = now
    this.log = log
  }

  async put(key: string, object: StoredObject): Promise<void> {
    keySegments(key)
    if (sha256Hex(object.bytes) !== object.sha256) {
      throw new RangeError(`the bytes for ${key} do not have the SHA-256 given`)
    }
    await this.prepareOnce()
    const { version, isOurs } = await this.findOrAddFirst(key, object)
    if (isOurs) await this.checkLocked(key, version, object)
    else await this.acceptStored(key, version, object)
  }

  async get(key: string): Promise<StoredObject | undefined> {
    keySegments(key)
    await this.prepareOnce()
    const version = await findFirstVersion(this.connection, key)
    return version === undefined ? undefined : readVersion(this.connection, key, version)
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

  private async findOrAddFirst(
    key: string,
    object: StoredObject,
  ): Promise<{ version: string; isOurs: boolean }> {
    let added: string | undefined
    for (let attempt = 0; attempt <= attempts; attempt += 1) {
      // Also after adding: the server may not know the condition.
      const first = await findFirstVersion(this.connection, key)
      if (first !== undefined) return { version: first, isOurs: first === added }
      added = await addVersion(this.connection, key, { object, now: this.now() })
    }
    throw unavailable('The archive', new Error(`${key} can be neither stored nor found`))
  }

  private async checkLocked(key: string, version: string, object: StoredObject): Promise<void> {
    if (await isLocked(this.connection, key, { version, object })) return
    const { url } = this.connection.place
    throw unavailable(
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
    if (await isLocked(this.connection, key, { version, object })) return
    await lockVersion(this.connection, key, { version, object, now: this.now() })
    this.log.warn({ key, version }, 'archived object without a sufficient lock: lock added')
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
