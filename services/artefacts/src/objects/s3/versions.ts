import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { computeRetention } from '../../artefact'
import { sha256Hex } from '../digest'
import type { StoredObject } from '../objects'
import type { S3Connection } from './connection'

// More versions of one key are an attack.
const pagesMax = 1_000
const versionsAPage = 100
const dayMs = 24 * 60 * 60 * 1000

// The client's types lack these fields.
export interface ListedVersion {
  name: string
  versionId: string
  /** On most servers the MD5 of the bytes. */
  etag: string
  isDeleteMarker: boolean
}

/** By key, newest first, in pages. */
export async function* listVersions(
  connection: S3Connection,
  prefix: string,
  after?: string,
): AsyncGenerator<ListedVersion[]> {
  let markers: object = after === undefined ? {} : { keyMarker: encodeURIComponent(after) }
  for (;;) {
    const found = await connection.call((client) =>
      client.listObjectsQuery(connection.place.bucket, prefix, '', {
        Delimiter: '',
        MaxKeys: versionsAPage,
        IncludeVersion: true,
        ...markers,
      }),
    )
    const listed = found.objects as ListedVersion[]
    yield listed
    const last = listed.map(({ name }) => name).reduce((a, b) => (a > b ? a : b), '')
    if (!found.isTruncated || last === '') return
    // The client sends the marker unescaped, which some servers reject.
    const versionIdMarker = encodeURIComponent(found.versionIdMarker ?? '')
    markers = { keyMarker: encodeURIComponent(last), versionIdMarker }
  }
}

export async function findFirstVersion(
  connection: S3Connection,
  key: string,
): Promise<ListedVersion | undefined> {
  let first: ListedVersion | undefined
  let pages = 0
  for await (const page of listVersions(connection, key)) {
    const ours = page.filter(({ name }) => name === key)
    first = ours.findLast(({ isDeleteMarker }) => !isDeleteMarker) ?? first
    if (ours.length < page.length) break
    pages += 1
    if (pages > pagesMax) throw new Error(`${key} has too many versions in the archive to read`)
  }
  return first
}

/** Each key once, even one with only a delete marker. */
export async function listKeys(
  connection: S3Connection,
  after: string | undefined,
  count: number,
): Promise<string[]> {
  const keys = new Set<string>()
  for await (const page of listVersions(connection, '', after)) {
    // Some servers begin with the marker's own versions.
    for (const { name } of page) if (name !== after) keys.add(name)
    if (keys.size >= count) break
  }
  return [...keys].slice(0, count)
}

/** `undefined` when the key exists. */
export async function addVersion(
  connection: S3Connection,
  key: string,
  { object, now }: { object: StoredObject; now: Date },
): Promise<string | undefined> {
  const headers = {
    'content-type': object.mediaType,
    // The server compares it before it stores a byte.
    'x-amz-checksum-sha256': Buffer.from(object.sha256, 'hex').toString('base64'),
    'x-amz-meta-sha256': object.sha256,
    'x-amz-meta-retain-until': object.retainUntil.toISOString(),
    'x-amz-object-lock-mode': 'COMPLIANCE',
    'x-amz-object-lock-retain-until-date': computeLockEnd(object, now).toISOString(),
    // A server that ignores the condition adds a version, which is not the first.
    'if-none-match': '*',
  }
  const request = { method: 'PUT', key, headers, body: object.bytes } as const
  const { status, headers: answered } = await connection.request(request, [200, 409, 412])
  return status === 200 ? String(answered['x-amz-version-id']) : undefined
}

export interface ReadVersion extends StoredObject {
  /** `undefined` when the server did not return it. */
  lock: Lock | undefined
}

export interface Lock {
  mode: string
  until: Date
}

export async function readVersion(
  connection: S3Connection,
  key: string,
  version: string,
): Promise<ReadVersion> {
  const request = { method: 'GET', key, query: versionQuery(version) } as const
  const { status, headers, body } = await connection.request(request, [200, 404])
  const sha256 = String(headers['x-amz-meta-sha256'])
  const retainUntil = new Date(String(headers['x-amz-meta-retain-until']))
  if (status === 404 || sha256Hex(body) !== sha256 || Number.isNaN(retainUntil.getTime())) {
    throw new Error(
      `the archived object ${key}, version ${version}, is damaged: restore it from a backup`,
    )
  }
  const lock = readLock(headers)
  return { bytes: body, mediaType: headers['content-type'] ?? '', sha256, retainUntil, lock }
}

function readLock(headers: IncomingHttpHeaders): Lock | undefined {
  const mode = headers['x-amz-object-lock-mode']
  const until = headers['x-amz-object-lock-retain-until-date']
  if (mode === undefined || until === undefined) return undefined
  return { mode: String(mode), until: new Date(String(until)) }
}

export function hasBytes({ etag }: ListedVersion, { bytes }: StoredObject): boolean {
  return etag.replaceAll('"', '') === createHash('md5').update(bytes).digest('hex')
}

/** COMPLIANCE: not even the administrator can delete it early. */
export function isSufficient(lock: Lock, { retainUntil }: StoredObject): boolean {
  return lock.mode === 'COMPLIANCE' && lock.until >= retainUntil
}

export async function isLocked(
  connection: S3Connection,
  key: string,
  { version, object }: { version: string; object: StoredObject },
): Promise<boolean> {
  const query = `retention&${versionQuery(version)}`
  const { status, body } = await connection.request({ method: 'GET', key, query }, [200, 400, 404])
  // Read as text: servers differ in the name of the element around these two.
  const [, mode = ''] = /<Mode>(\w+)</.exec(body.toString()) ?? []
  const [, until = ''] = /<RetainUntilDate>([^<]+)</.exec(body.toString()) ?? []
  return status === 200 && isSufficient({ mode, until: new Date(until) }, object)
}

/** For a version without a lock, such as a copied one. A lock can only be prolonged. */
export async function lockVersion(
  connection: S3Connection,
  key: string,
  { version, object, now }: { version: string; object: StoredObject; now: Date },
): Promise<void> {
  const until = computeLockEnd(object, now).toISOString()
  const body = `<Retention xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Mode>COMPLIANCE</Mode><RetainUntilDate>${until}</RetainUntilDate></Retention>`
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  const query = `retention&${versionQuery(version)}`
  await connection.request({ method: 'PUT', key, query, headers, body }, [200])
}

/** Whole seconds, and never in the past: an old invoice is locked as if it were dated today. */
export function computeLockEnd({ retainUntil }: StoredObject, now: Date): Date {
  const isOver = retainUntil.getTime() < now.getTime() + dayMs
  const until = isOver
    ? computeRetention({ invoiceDate: now.toISOString().slice(0, 10) })
    : retainUntil
  return new Date(Math.ceil(until.getTime() / 1000) * 1000)
}

function versionQuery(version: string): string {
  return `versionId=${encodeURIComponent(version)}`
}
