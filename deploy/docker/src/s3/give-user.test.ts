/** The rights of the artefacts service in S3, given as deployed, on a real server. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openS3Objects } from '@einvoicing/artefacts/objects/s3/s3-objects'
import { S3Connection } from '@einvoicing/artefacts/objects/s3/connection'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startMinio, type S3 } from '@einvoicing/servers/s3'
import { Client } from 'minio'
import { giveUser, type S3Setup } from './give-user'

const bucket = 'einvoicing'
const secret = () => randomBytes(24).toString('base64url')
const yearMs = 365 * 24 * 3_600_000

describeWithOwn('minio', 'the user of the artefacts service', () => {
  let folder: string
  let server: S3
  let setup: S3Setup
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-s3-rights-'))
    const root = { accessKey: 'root', secretKey: secret() }
    server = await startMinio(root)
    const user = { accessKey: 'artefacts', secretKey: secret() }
    setup = { url: server.url, bucket, root, user }
    await giveUser(setup)
  })
  afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true })
  })

  const connectAs = ({ accessKey, secretKey }: S3Setup['user']) => {
    const { hostname, port } = new URL(server.url)
    return new Client({
      endPoint: hostname,
      port: Number(port),
      useSSL: false,
      region: server.region,
      accessKey,
      secretKey,
    })
  }
  const asThief = () => connectAs(setup.user)
  const asRoot = () => connectAs(setup.root)

  const connectionAsThief = () => {
    const { accessKey, secretKey } = setup.user
    const place = { url: server.url, bucket, region: server.region, accessKey }
    return new S3Connection(place, secretKey)
  }

  const archive = async () => {
    const secretKeyFile = path.join(folder, 'secret')
    await writeFile(secretKeyFile, setup.user.secretKey)
    const config = {
      kind: 's3',
      url: server.url,
      bucket,
      region: server.region,
      accessKey: setup.user.accessKey,
      secretKeyFile,
    } as const
    return openS3Objects(config, { now: () => new Date(), log: createLog('silent') })
  }
  const anObject = () => {
    const bytes = Buffer.from(`<Invoice>${secret()}</Invoice>`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const retainUntil = new Date(Date.now() + yearMs)
    return { bytes, mediaType: 'application/xml', sha256, retainUntil }
  }
  const refused = (work: Promise<unknown>) =>
    expect(
      work.then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code,
      ),
    ).resolves.toBe('AccessDenied')

  it('archives and reads, also on a new bucket with object lock', async () => {
    const objects = await archive()
    const object = anObject()
    await objects.put('a/one.xml', object)
    expect((await objects.get('a/one.xml'))?.bytes.equals(object.bytes)).toBe(true)
    // A second time: what is kept is read, and nothing is added.
    await objects.put('a/one.xml', object)
    expect(await objects.list(undefined, 10)).toEqual(['a/one.xml'])
    await objects.check()
    await objects.close()
  })

  it('cannot delete a version or a key by any request', async () => {
    const objects = await archive()
    await objects.put('a/two.xml', anObject())
    await objects.close()
    const versions: { versionId: string }[] = []
    const listed = asRoot().listObjects(bucket, 'a/two.xml', true, { IncludeVersion: true })
    for await (const item of listed) versions.push(item as { versionId: string })
    const { versionId } = versions[0]!
    await refused(asThief().removeObject(bucket, 'a/two.xml'))
    await refused(asThief().removeObject(bucket, 'a/two.xml', { versionId }))
    const bypass = { versionId, governanceBypass: true }
    await refused(asThief().removeObject(bucket, 'a/two.xml', bypass))
    // The root user may add a marker, as the service's own key could when it was the root's.
    await asRoot().removeObject(bucket, 'a/two.xml')
    await expect(asRoot().removeObject(bucket, 'a/two.xml', bypass)).rejects.toThrow(/WORM/)
  })

  it('shortens no lock', async () => {
    const objects = await archive()
    await objects.put('a/three.xml', anObject())
    await objects.close()
    const connection = connectionAsThief()
    const until = (mode: string, inMs: number) =>
      `<Retention><Mode>${mode}</Mode><RetainUntilDate>${new Date(Date.now() + inMs).toISOString()}</RetainUntilDate></Retention>`
    for (const body of [until('COMPLIANCE', 60_000), until('GOVERNANCE', 2 * yearMs)]) {
      const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
      const request = {
        method: 'PUT',
        key: 'a/three.xml',
        query: 'retention',
        headers,
        body,
      } as const
      const answer = await connection.request(request, [200, 400, 403])
      expect(answer.status).not.toBe(200)
    }
    connection.close()
  })

  it('has no rights to bucket settings, other buckets and users', async () => {
    const thief = asThief()
    await asRoot().makeBucket('others')
    await refused(
      thief.setBucketPolicy(bucket, JSON.stringify({ Version: '2012-10-17', Statement: [] })),
    )
    await refused(thief.setBucketVersioning(bucket, { Status: 'Suspended' }))
    const lock =
      '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>'
    const connection = connectionAsThief()
    const headers = { 'content-md5': createHash('md5').update(lock).digest('base64') }
    const request = { method: 'PUT', query: 'object-lock', headers, body: lock } as const
    expect((await connection.request(request, [200, 403])).status).toBe(403)
    connection.close()
    await refused(thief.removeBucket(bucket))
    await refused(thief.makeBucket('another'))
    await refused(thief.putObject('others', 'x', 'y'))
    await expect(giveUser({ ...setup, root: setup.user })).rejects.toThrow(/AccessDenied|403/)
  })

  it('gets another secret key when its file says so, and the old one ends', async () => {
    const before = asThief()
    setup = { ...setup, user: { ...setup.user, secretKey: secret() } }
    await giveUser(setup)
    await expect(before.getBucketVersioning(bucket)).rejects.toThrow(/signature/i)
    await expect(asThief().getBucketVersioning(bucket)).resolves.toBeDefined()
  })
})
