import { setTimeout } from 'node:timers/promises'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import type { S3Connection } from './connection'
import { explainAnswer, type S3Place } from './s3-errors'

const lockAppearsWithinMs = 5_000
const lookEveryMs = 100

/** A bucket without versions or object lock is never changed. */
export async function prepareBucket(connection: S3Connection, log: Log): Promise<void> {
  const { url, bucket } = connection.place
  const isNew = !(await bucketExists(connection))
  if (isNew) {
    await createBucket(connection)
    log.warn({ url, bucket }, 'bucket created, with object lock')
  }
  await untilLocked(connection, isNew)
  await checkBucket(connection)
}

/** Another process may be creating the bucket: for a moment it exists without its lock. */
async function untilLocked(connection: S3Connection, isNew: boolean): Promise<void> {
  const until = performance.now() + lockAppearsWithinMs
  while (!(await hasLock(connection)) && performance.now() < until) {
    if (isNew) await enableVersions(connection)
    await setTimeout(lookEveryMs)
  }
}

/**
 * Changes nothing in a bucket with object lock. But MinIO may have cached that the bucket has no
 * lock, when read while another process created it; a write makes it read the settings again.
 */
async function enableVersions(connection: S3Connection): Promise<void> {
  const body =
    '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>'
  // Without the right to do so: the lock appears by itself, or the check reports that it does not.
  await connection.request({ method: 'PUT', query: 'versioning', body }, [200, 403, 404, 409, 501])
}

export async function checkBucket(connection: S3Connection): Promise<void> {
  const { place } = connection
  const [exists, isLocked] = await Promise.all([bucketExists(connection), hasLock(connection)])
  // Some servers answer alike for a missing bucket and for a bucket without lock.
  if (exists && isLocked) return
  throw exists ? lacksLockError(place) : explainAnswer({ code: 'NoSuchBucket' }, place)
}

async function hasLock(connection: S3Connection): Promise<boolean> {
  const request = { method: 'GET', query: 'object-lock' } as const
  const { status, body } = await connection.request(request, [200, 404])
  return status === 200 && body.includes('<ObjectLockEnabled>Enabled<')
}

async function bucketExists(connection: S3Connection): Promise<boolean> {
  const { place } = connection
  const { status, body } = await connection.request(
    { method: 'GET', query: 'versioning' },
    [200, 404],
  )
  if (status === 404 || !body.includes('<VersioningConfiguration')) {
    const [, code = ''] = /<Code>(\w+)</.exec(body.toString()) ?? []
    if (code === 'NoSuchBucket') return false
    throw explainAnswer({ code }, place)
  }
  if (body.includes('<Status>Suspended<')) throw versionsSuspendedError(place)
  return true
}

async function createBucket(connection: S3Connection): Promise<void> {
  const { region } = connection.place
  const headers = { 'x-amz-bucket-object-lock-enabled': 'true' }
  // The one region whose buckets are created without naming it.
  const body = region === 'us-east-1' ? '' : locationXml(region)
  const { status } = await connection.request({ method: 'PUT', headers, body }, [200, 403, 409])
  // 409: another process was first, or another account owns the name, which the next check shows.
  if (status === 403) throw mayNotCreateError(connection.place)
}

function locationXml(region: string): string {
  return `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`
}

function lacksLockError({ bucket, url }: S3Place): SettingsError {
  return new SettingsError([
    `S3_BUCKET: the bucket ${bucket} at ${url} has no object lock, so its objects could be deleted: name a bucket created with object lock, or one that does not exist yet and will be created.`,
  ])
}

function versionsSuspendedError({ bucket, url }: S3Place): SettingsError {
  return new SettingsError([
    `S3_BUCKET: versioning of the bucket ${bucket} at ${url} is suspended, so its objects could be overwritten: enable it, with object lock, or name another bucket.`,
  ])
}

function mayNotCreateError({ bucket, url, accessKey }: S3Place): SettingsError {
  return new SettingsError([
    `S3_BUCKET: the bucket ${bucket} does not exist at ${url} and ${accessKey} is not allowed to create it: create it with object lock, or allow s3:CreateBucket and s3:PutBucketObjectLockConfiguration.`,
  ])
}
