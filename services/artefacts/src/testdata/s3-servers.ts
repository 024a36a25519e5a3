/**
 * Archives on real S3 servers, each in a bucket of its own, and the hand of someone who may do
 * there what he likes.
 */

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import { startMinio, startVersitygw, type S3 } from '@einvoicing/servers/s3'
import type { S3ObjectsConfig } from '../config'
import { sha256Hex } from '../objects/digest'
import type { Objects } from '../objects/objects'
import { openS3Objects } from '../objects/s3/s3-objects'
import { S3Connection, type S3Answer, type S3Request } from '../objects/s3/connection'

export const s3Servers = { minio: startMinio, versitygw: startVersitygw } as const

/** For tests in which nothing is unavailable, so that a pause of a process is not taken for it. */
export const patientSilenceMs = 30_000

export class S3ForTest {
  readonly server: S3
  private readonly folder: string
  private readonly opened: { close(): unknown }[] = []

  /** How long a server may be silent; the archive's own limit unless given. */
  private readonly silenceMs: number | undefined

  private constructor(server: S3, folder: string, silenceMs: number | undefined) {
    this.server = server
    this.folder = folder
    this.silenceMs = silenceMs
  }

  static async start(name: keyof typeof s3Servers, silenceMs?: number): Promise<S3ForTest> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'artefacts-s3-'))
    const server = await s3Servers[name]()
    await writeFile(path.join(folder, 'secret'), `${server.secretKey}\n`)
    const s3 = new S3ForTest(server, folder, silenceMs)
    await s3.untilServing()
    return s3
  }

  /** A bucket that does not exist yet, unless `changes` name another. */
  config(changes: Partial<S3ObjectsConfig> = {}): S3ObjectsConfig {
    const { url, accessKey, region } = this.server
    const secretKeyFile = path.join(this.folder, 'secret')
    const bucket = `archive-${randomUUID()}`
    return { kind: 's3', url, bucket, region, accessKey, secretKeyFile, ...changes }
  }

  async open(config = this.config(), now = systemClock): Promise<Objects> {
    const { silenceMs } = this
    const objects = await openS3Objects(config, {
      now,
      log: createLog('silent'),
      ...(silenceMs !== undefined && { silenceMs }),
    })
    this.opened.push(objects)
    return objects
  }

  /** Someone with all rights to a bucket. */
  hand(bucket: string): Hand {
    const { server, silenceMs } = this
    const connection = new S3Connection({ ...server, bucket }, server.secretKey, silenceMs)
    this.opened.push(connection)
    return new Hand(connection)
  }

  async comeBack(): Promise<void> {
    await this.server.start()
    await this.untilServing()
  }

  async writeSecret(text: string): Promise<string> {
    const file = path.join(this.folder, randomUUID())
    await writeFile(file, text)
    return file
  }

  /** MinIO says that it is ready, and for a moment still answers 503. */
  private async untilServing(): Promise<void> {
    const { connection } = this.hand(this.config().bucket)
    const readVersioning = () => connection.request({ method: 'GET', query: 'versioning' }, [404])
    const deadline = Date.now() + 15_000
    while (!(await readVersioning().then(Boolean, () => Date.now() > deadline))) await sleep(50)
  }

  async dispose(): Promise<void> {
    for (const each of this.opened) await each.close()
    await this.server.dispose()
    await rm(this.folder, { recursive: true, force: true })
  }
}

export interface Version {
  name: string
  versionId: string
  isDeleteMarker: boolean
}

export class Hand {
  readonly connection: S3Connection

  constructor(connection: S3Connection) {
    this.connection = connection
  }

  /** Whatever the server answers, errors too. */
  do(request: Omit<S3Request, 'method'> & { method: string }): Promise<S3Answer> {
    return this.connection.request(request as S3Request, [200, 204, 400, 403, 404, 409, 412])
  }

  put(key: string, text: string, headers: Record<string, string> = {}): Promise<S3Answer> {
    const body = Buffer.from(text)
    const meta = {
      'content-type': 'application/xml',
      'x-amz-meta-sha256': sha256Hex(body),
      'x-amz-meta-retain-until': '2036-12-31T23:59:59.999Z',
    }
    return this.do({ method: 'PUT', key, body, headers: { ...meta, ...headers } })
  }

  /** Newest first. */
  async versions(prefix = ''): Promise<Version[]> {
    const { bucket } = this.connection.place
    const options = { Delimiter: '', MaxKeys: 1000, IncludeVersion: true }
    const found = await this.connection.call((client) =>
      client.listObjectsQuery(bucket, prefix, '', options),
    )
    return found.objects as unknown as Version[]
  }

  async onlyVersion(key: string): Promise<string> {
    const [first, ...others] = await this.versions(key)
    if (!first || others.length > 0) throw new Error(`${key} has ${others.length + 1} versions`)
    return first.versionId
  }

  /** The mode and the end of a version's lock, as the server enforces it. */
  async readLock(key: string, version: string): Promise<{ mode?: string; until?: Date }> {
    const query = `retention&versionId=${version}`
    const { status, body } = await this.do({ method: 'GET', key, query })
    if (status !== 200) return {}
    const [, mode = ''] = /<Mode>(\w+)</.exec(body.toString()) ?? []
    const [, until = ''] = /<RetainUntilDate>([^<]+)</.exec(body.toString()) ?? []
    return { mode, until: new Date(until) }
  }
}
