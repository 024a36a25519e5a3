/** The bucket, and a user with the rights of the archive, by MinIO's administration. */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { prepareBucket } from '@einvoicing/artefacts/objects/s3/bucket'
import { S3Connection } from '@einvoicing/artefacts/objects/s3/connection'
import { createLog } from '@einvoicing/runtime/log'
import { signV4 } from 'minio/dist/main/signing.js'
import { archivePolicy } from './archive-policy'
import { sealed } from './sealed'

export interface S3User {
  accessKey: string
  secretKey: string
}

export interface S3Setup {
  url: string
  bucket: string
  root: S3User
  user: S3User
}

const region = 'us-east-1'
const policyName = 'archive'
const answerMs = 10_000
const pollEveryMs = 500
const giveUpAfterMs = 2 * 60_000

/** Waits for the server, at most two minutes. */
export async function giveUser(setup: S3Setup): Promise<void> {
  const { url, bucket, root, user } = setup
  await untilReached(url)
  const place = { url, bucket, region, accessKey: root.accessKey }
  const connection = new S3Connection(place, root.secretKey)
  try {
    await prepareBucket(connection, createLog('silent'))
  } finally {
    connection.close()
  }
  const { accessKey, secretKey } = user
  await administer(
    setup,
    `add-canned-policy?name=${policyName}`,
    JSON.stringify(archivePolicy(bucket)),
  )
  const secret = sealed(root.secretKey, JSON.stringify({ secretKey, status: 'enabled' }))
  await administer(setup, `add-user?accessKey=${encodeURIComponent(accessKey)}`, secret)
  const whose = `isGroup=false&policyName=${policyName}&userOrGroup=${encodeURIComponent(accessKey)}`
  await administer(setup, `set-user-or-group-policy?${whose}`, '')
}

async function untilReached(url: string): Promise<void> {
  const startedAt = Date.now()
  for (;;) {
    const signal = AbortSignal.timeout(answerMs)
    const status = await fetch(new URL('/minio/health/ready', url), { signal }).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    if (Date.now() - startedAt > giveUpAfterMs) throw new Error(`${url} did not become ready`)
    await pause(pollEveryMs)
  }
}

async function administer(
  { url, root }: S3Setup,
  what: string,
  body: string | Buffer,
): Promise<void> {
  const target = new URL(`/minio/admin/v3/${what}`, url)
  const digest = createHash('sha256').update(body).digest('hex')
  const now = new Date()
  const headers: Record<string, string> = {
    host: target.host,
    'x-amz-content-sha256': digest,
    'x-amz-date': now.toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }
  const request = { method: 'PUT', path: `${target.pathname}${target.search}`, headers }
  headers['authorization'] = signV4(
    request as Parameters<typeof signV4>[0],
    root.accessKey,
    root.secretKey,
    region,
    now,
    digest,
  )
  const answer = await fetch(target, {
    method: 'PUT',
    headers,
    body: new Uint8Array(Buffer.from(body)),
    signal: AbortSignal.timeout(answerMs),
  })
  if (answer.ok) return
  const [, message = ''] = /"Message":"([^"]*)"/.exec(await answer.text()) ?? []
  throw new Error(`${url} refuses ${what.split('?')[0]} with ${answer.status}: ${message}`)
}
