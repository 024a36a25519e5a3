/**
 * Whether the bucket is one that keeps what is put there: versions on, object lock on.
 *
 * A bucket that does not exist is made with both. Refuses any other in one sentence; it is never
 * changed and never written to, because object lock cannot be had by halves.
 */

import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import type { S3Connection } from './connection'
import { explainAnswer, type S3Place } from './s3-errors'

/** Before anything is put: makes the bucket if it must be made, and proves it. */
export async function prepareBucket(connection: S3Connection, log: Log): Promise<void> {
  const { url, bucket } = connection.place
  if (!(await bucketExists(connection))) {
    await createBucket(connection)
    log.warn({ url, bucket }, 'the bucket did not exist: made it, with object lock')
  }
  await checkBucket(connection)
}

/** Throws `SettingsError` when the bucket would not keep what is put there. */
export async function checkBucket(connection: S3Connection): Promise<void> {
  const { place } = connection
  const [exists, lock] = await Promise.all([
    bucketExists(connection),
    connection.request({ method: 'GET', query: 'object-lock' }, [200, 404]),
  ])
  // Some servers answer about the lock of a bucket that does not exist as of one that has none.
  if (exists && lock.status === 200 && lock.body.includes('<ObjectLockEnabled>Enabled<')) return
  throw exists ? lacksLockError(place) : explainAnswer({ code: 'NoSuchBucket' }, place)
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
  // The one region whose buckets are made without naming it.
  const body = region === 'us-east-1' ? '' : locationXml(region)
  const { status } = await connection.request({ method: 'PUT', headers, body }, [200, 403, 409])
  // 409: another process of ours was first, or a stranger owns the name, which the next look tells.
  if (status === 403) throw mayNotCreateError(connection.place)
}

function locationXml(region: string): string {
  return `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`
}

function lacksLockError({ bucket, url }: S3Place): SettingsError {
  return new SettingsError([
    `S3_BUCKET: the bucket ${bucket} at ${url} has no object lock, so what is in it could be deleted: name one that was created with object lock, or one that does not exist yet and will be.`,
  ])
}

function versionsSuspendedError({ bucket, url }: S3Place): SettingsError {
  return new SettingsError([
    `S3_BUCKET: versions of the bucket ${bucket} at ${url} are suspended, so what is in it could be overwritten: enable them, with object lock, or name another bucket.`,
  ])
}

function mayNotCreateError({ bucket, url, accessKey }: S3Place): SettingsError {
  return new SettingsError([
    `S3_BUCKET: the bucket ${bucket} does not exist at ${url} and ${accessKey} may not make it: create it with object lock, or allow s3:CreateBucket and s3:PutBucketObjectLockConfiguration.`,
  ])
}
