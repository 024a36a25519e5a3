/**
 * docs/operations/backup-and-restore.md, carried out: MongoDB is copied under load and destroyed,
 * then the archive's server is; each is restored by the book's own commands, and nothing answered
 * is lost.
 */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { prepareBucket } from '@einvoicing/artefacts/objects/s3/bucket'
import { S3Connection } from '@einvoicing/artefacts/objects/s3/connection'
import { createLog } from '@einvoicing/runtime/log'
import { findFreePort } from '@einvoicing/servers/ports'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { startMinio, type S3 } from '@einvoicing/servers/s3'
import { MongoClient } from 'mongodb'
import { eventually } from '@einvoicing/servers/eventually'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { startServices, type Services } from '../stack/services'
import { expectDocuments, listAll, submissionTotal, untilAllDecided } from '../faults/record'
import { createPersistently } from '../faults/persistent-load'
import { must, run, report } from './programs'

const root = path.join(__dirname, '../..')
const credentials = { user: 'root', password: 'only-for-the-drill' }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let folder: string
let port: number
let mongod: Mongod
let archive: S3
let second: S3
/** Of the services; read again at each start. */
let env: Record<string, string>
let services: Services
let organization: Organization
const seed = drawSeed('restore')

const at = (name: string) => path.join(folder, name)
const tool = (user: string) =>
  `mongodb://${user}:only-for-the-drill@127.0.0.1:${port}/?replicaSet=rs0&authSource=admin`

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-drill-'))
  port = await findFreePort()
  mongod = await startMongod({ port, credentials })
  await makeUsers()
  archive = await startMinio()
  second = await startMinio()
  await writeFile(at('s3.secret'), archive.secretKey, { mode: 0o600 })
  await writeFile(at('mongodb.password'), credentials.password, { mode: 0o600 })
  env = settings()
  services = await startServices({ env })
  organization = await newOrganization(services)
}, 300_000)

afterAll(async () => {
  await services.dispose()
  await Promise.all([mongod.dispose(), archive.dispose(), second.dispose()])
  await rm(folder, { recursive: true, force: true })
}, 120_000)

const bucket = () => ({
  S3_URL: archive.url,
  S3_BUCKET: 'einvoicing',
  S3_ACCESS_KEY: archive.accessKey,
  S3_SECRET_KEY_FILE: at('s3.secret'),
})

const settings = () => ({
  MONGODB_URL: `mongodb://${credentials.user}@127.0.0.1:${port}/einvoicing?replicaSet=rs0&authSource=admin`,
  MONGODB_PASSWORD_FILE: at('mongodb.password'),
  ...bucket(),
})

/** The two users of the book: one may copy, the other may put back. */
async function makeUsers(): Promise<void> {
  const client = new MongoClient(tool(credentials.user))
  const admin = client.db('admin')
  const [pwd, everything] = [credentials.password, { anyResource: true }]
  const privileges = [{ resource: everything, actions: ['anyAction'] }]
  await admin.command({ createUser: 'backup', pwd, roles: ['backup'] })
  await admin.command({ createRole: 'replay', privileges, roles: [] })
  await admin.command({ createUser: 'restore', pwd, roles: ['restore', 'replay'] })
  await client.close()
}

/** The password is not on the command line, where every user of the machine could read it. */
function configFile(user: string): string {
  const file = at(`${user}.yaml`)
  writeFileSync(file, `uri: ${tool(user)}\n`, { mode: 0o600 })
  return file
}

/** Where the operator's guide uses a line of mongosh, the driver reads the last moment here. */
async function lastMoment(): Promise<{ t: number; i: number }> {
  const client = new MongoClient(tool(credentials.user))
  const [last] = await client
    .db('local')
    .collection('oplog.rs')
    .find()
    .sort({ $natural: -1 })
    .limit(1)
    .toArray()
  await client.close()
  const { high: t, low: i } = last!['ts']
  return { t, i }
}

const originals = async () => {
  const { output } = await recover('list')
  return Number(/^(\d+) originals/m.exec(output)?.[1])
}

/** With the settings of invoices, on the machine of invoices. */
async function recover(verb: 'list' | 'take') {
  const ports = await services.ports()
  return run(
    process.execPath,
    [path.join(root, 'deploy/admin/dist/main.js'), 'recover', verb, '--services'],
    {
      ...settings(),
      TRUSTED_CERTIFICATES_FILE: path.join(services.dataDir, 'signer/trusted-certificate.pem'),
      ARTEFACTS_ADDRESS: `127.0.0.1:${ports['artefacts']}`,
      CALLER_SECRETS_DIR: path.join(services.dataDir, 'secrets'),
    },
  )
}

const verify = () =>
  run(
    process.execPath,
    [path.join(root, 'deploy/admin/dist/main.js'), 'archive', 'verify'],
    bucket(),
  )

async function destroyMongod(): Promise<void> {
  await mongod.kill9()
  await mongod.dispose()
}

const startLoad = () =>
  createPersistently({
    urls: services.urls,
    key: organization.key.key,
    random: seededRandom(seed),
    connections: 4,
    pauseMs: 400,
  })

/** Each acknowledged number there once, whole, accepted, and submitted once. */
async function expectAll(acknowledged: readonly { id: string; invoiceNumber: string }[]) {
  const { invoices } = organization
  await untilAllDecided(invoices, 300_000)
  const all = await listAll(invoices)
  const there = new Set(all.map(({ id, invoiceNumber }) => `${id} ${invoiceNumber}`))
  const lost = acknowledged.filter(({ id, invoiceNumber }) => !there.has(`${id} ${invoiceNumber}`))
  expect(lost).toEqual([])
  expect(new Set(all.map(({ invoiceNumber }) => invoiceNumber)).size).toBe(all.length)
  expect(all.filter(({ status }) => status !== 'ACCEPTED')).toEqual([])
  await expectDocuments(invoices, all)
  expect(await submissionTotal(services.simulatorUrl)).toBe(all.length)
  return all.length
}

test(`MongoDB is copied under load, destroyed and restored (SEED=${seed})`, async () => {
  const load = startLoad()
  await pause(4_000)
  const dump = await must('mongodump', [
    `--config=${configFile('backup')}`,
    '--oplog',
    '--gzip',
    `--archive=${at('nightly.gz')}`,
  ])
  report('mongodump --oplog under load', dump.seconds)
  const atDump = load.acknowledged.length
  await pause(4_000)
  await load.stop()
  const known = [...load.acknowledged]
  expect(load.wrong).toEqual([])
  await untilAllDecided(organization.invoices, 300_000)
  await eventually(async () => expect(await originals()).toBe(known.length), 120_000, 1_000)

  await destroyMongod()
  const startedAt = Date.now()
  await services.stop()
  mongod = await startMongod({ port, credentials })
  await makeUsers()
  const back = await must('mongorestore', [
    `--config=${configFile('restore')}`,
    '--oplogReplay',
    '--gzip',
    `--archive=${at('nightly.gz')}`,
  ])
  report('mongorestore --oplogReplay', back.seconds)
  await services.restart()
  const listed = await recover('list')
  expect(listed.status).toBe(1)
  report('recover list', listed.seconds)
  const missing = Number(/: (\d+) missing/.exec(listed.output)?.[1])
  process.stderr.write(
    `  ${atDump} answered at the copy, ${known.length} in all, ${missing} missing\n`,
  )
  expect(missing).toBeGreaterThan(0)
  const taken = await recover('take')
  report('recover take', taken.seconds)
  expect([taken.status, taken.errors]).toEqual([0, ''])
  expect(taken.output).toContain(` ${missing} taken back, 0 refused`)
  const count = await expectAll(known)
  report(
    `from the loss to ${count} of ${known.length} decided again`,
    (Date.now() - startedAt) / 1000,
  )
  await eventually(
    async () => expect((await verify()).output.trim()).toBe(`${count * 3} objects read, 0 damaged`),
    120_000,
    2_000,
  )
}, 900_000)

test('to the last moment, with the operations since the copy', async () => {
  const { invoices } = organization
  const dump = await must('mongodump', [
    `--config=${configFile('backup')}`,
    '--oplog',
    '--gzip',
    `--archive=${at('evening.gz')}`,
  ])
  expect(dump.status).toBe(0)
  const since = await lastMoment()
  const made = []
  for (let n = 0; n < 30; n += 1) made.push(await invoices.created())
  const draft = await invoices.created({ draft: true })
  const slice = await must('mongodump', [
    `--config=${configFile('backup')}`,
    '--db=local',
    '--collection=oplog.rs',
    `--query={"ts":{"$gte":{"$timestamp":{"t":${since.t},"i":${since.i}}}}}`,
    `--out=${at('oplog')}`,
  ])
  report('mongodump of the oplog since', slice.seconds)
  await untilAllSent()
  const before = (await listAll(invoices)).length
  await destroyMongod()
  await services.stop()
  mongod = await startMongod({ port, credentials })
  await makeUsers()
  await must('mongorestore', [
    `--config=${configFile('restore')}`,
    '--oplogReplay',
    '--gzip',
    `--archive=${at('evening.gz')}`,
  ])
  await rm(at('replay'), { recursive: true, force: true })
  await must('mkdir', ['-p', at('replay')])
  const replayed = await must('mongorestore', [
    `--config=${configFile('restore')}`,
    '--oplogReplay',
    `--oplogFile=${at('oplog/local/oplog.rs.bson')}`,
    at('replay'),
  ])
  report('mongorestore of the oplog', replayed.seconds)
  await services.restart()
  expect((await invoices.read(draft.id)).data.status).toBe('PENDING')
  const taken = await recover('take')
  expect([taken.status, taken.errors]).toEqual([0, ''])
  await untilAllSent()
  const all = await listAll(invoices)
  expect(all.length).toBe(before)
  expect(made.every(({ id }) => all.some((each) => each.id === id))).toBe(true)
  expect(await submissionTotal(services.simulatorUrl)).toBe(before - 1)
  await invoices.cancel(draft.id)
}, 600_000)

const untilAllSent = () =>
  eventually(async () => {
    for (const status of ['SIGNED', 'TRANSMITTED']) {
      expect((await organization.invoices.list({ status })).data.totalElements).toBe(0)
    }
  }, 120_000)

test('what was not archived is lost, and its number is still used once', async () => {
  const { invoices } = organization
  await must('mongodump', [
    `--config=${configFile('backup')}`,
    '--oplog',
    '--gzip',
    `--archive=${at('late.gz')}`,
  ])
  await archive.stop()
  const late = await invoices.created()
  await invoices.decided(late.id)
  await destroyMongod()
  await services.stop()
  await archive.start()
  mongod = await startMongod({ port, credentials })
  await makeUsers()
  await must('mongorestore', [
    `--config=${configFile('restore')}`,
    '--oplogReplay',
    '--gzip',
    `--archive=${at('late.gz')}`,
  ])
  await services.restart()
  expect((await recover('take')).output).toContain(' 0 taken back, 0 refused')
  expect((await invoices.read(late.id)).code).toBe('INVOICE_NOT_FOUND')
  const again = await invoices.create(anInvoice({ invoiceNumber: late.invoiceNumber }))
  expect(again.status).toBe(201)
  const decided = await invoices.decided(again.data.id)
  expect([decided.status, decided.dgiErrorCode]).toEqual(['REJECTED', 'DUPLICATE_INVOICE'])
}, 300_000)

test('the archive’s server is destroyed, and its copy takes its place', async () => {
  const remote = ({ url, accessKey, secretKey }: S3) =>
    `:s3,provider=Minio,access_key_id=${accessKey},secret_access_key=${secretKey},region=us-east-1,endpoint="${url}":`
  const verified = async () => (await verify()).output.trim().split('\n').at(-1)
  // The last ones are still on their way there: no more in ten seconds, then none are.
  const before = await eventually(
    async () => {
      const seen = await verified()
      expect(seen).toMatch(/ 0 damaged$/)
      await pause(10_000)
      expect(await verified()).toBe(seen)
      return seen
    },
    120_000,
    1_000,
  )
  await makeSecondBucket()
  const copied = await must('rclone', [
    'sync',
    '--metadata',
    '--checksum',
    '--transfers=16',
    `${remote(archive)}einvoicing`,
    `${remote(second)}einvoicing`,
  ])
  report(`rclone sync of ${before}`, copied.seconds)
  await archive.kill9()
  await archive.dispose()
  const startedAt = Date.now()
  await services.stop()
  archive = second
  await writeFile(at('s3.secret'), archive.secretKey, { mode: 0o600 })
  Object.assign(env, bucket())
  expect(await verified()).toBe(before)
  await services.restart()
  const { invoices } = organization
  for (const { id } of (await invoices.list({ size: 20 })).data.content) {
    expect((await invoices.bytes(id, 'xml')).length).toBeGreaterThan(1_000)
  }
  const next = await invoices.created()
  expect((await invoices.decided(next.id)).status).toBe('ACCEPTED')
  report('from the loss of the archive to serving from its copy', (Date.now() - startedAt) / 1000)
  const more = Number(before?.split(' ')[0]) + 3
  await eventually(
    async () => expect(await verified()).toBe(`${more} objects read, 0 damaged`),
    60_000,
    2_000,
  )
}, 600_000)

/** Locked from the moment of the copy for twelve years: an invoice's date can be a year ahead. */
async function makeSecondBucket(): Promise<void> {
  const { url, region, accessKey, secretKey } = second
  const place = { url, bucket: 'einvoicing', region, accessKey }
  const connection = new S3Connection(place, secretKey)
  await prepareBucket(connection, createLog('silent'))
  const rule = '<DefaultRetention><Mode>COMPLIANCE</Mode><Years>12</Years></DefaultRetention>'
  const body = `<ObjectLockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>${rule}</Rule></ObjectLockConfiguration>`
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  await connection.request({ method: 'PUT', query: 'object-lock', headers, body }, [200])
  connection.close()
}
