import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { openMongo, type Mongo } from '@einvoicing/stores/mongo'
import type { MongoConfig } from '@einvoicing/stores/mongo-config'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import mongoose from 'mongoose'
import { anOrganization } from '../../testdata/store-under-test'
import type { Mail } from '../../mail/mail'
import { migrations } from './collections'
import { mails } from './mails'
import { openMongoStore } from './mongo-store'
import { what } from './transaction'
import type { OrganizationStore } from '../store'
import { organizationStoreContract } from '../store.contract'

const aMail = (kind: Mail['kind'], createdAt: string): Mail => {
  return { id: randomUUID(), kind, to: 'a@example.com', network: '', createdAt }
}

const log = createLog('silent')
const collections = [
  'organizations',
  'users',
  'invitations',
  'sessions',
  'password_resets',
  'mails',
  'held_ices',
  'sign_in_attempts',
  'api_keys',
  'organization_audit',
  'remembered',
]

describeWith('mongod', 'the MongoDB organization store', () => {
  let server: Mongod
  let config: MongoConfig
  let admin: mongoose.Connection
  beforeAll(async () => {
    server = await startMongod()
    const database = `organizations_${randomUUID().slice(0, 8)}`
    config = { kind: 'mongodb', url: server.url.replace(/\/(?=\?|$)/, `/${database}`) }
    admin = await mongoose.createConnection(config.url).asPromise()
  })
  afterAll(async () => {
    await admin.dropDatabase()
    await admin.close()
    await server.dispose()
  })

  organizationStoreContract(async () => {
    const opened: OrganizationStore[] = []
    const open = async () => {
      const store = await openMongoStore(config, log, patientTimes)
      opened.push(store)
      return store
    }
    const closeAll = () => Promise.all(opened.splice(0).map((store) => store.close()))
    const store = await open()
    const began = new Date()
    await admin.db?.command({ profile: 2 })
    return {
      store,
      async reopen() {
        await closeAll()
        return open()
      },
      openAnother: open,
      async remove() {
        await closeAll()
        await admin.db?.command({ profile: 0 })
        const scans = await scansSince(began)
        await Promise.all(collections.map((name) => admin.collection(name).deleteMany({})))
        expect(scans).toEqual([])
      },
    }
  })

  it('users from before roles are owners, as old as their organization', async () => {
    const store = await openMongoStore(config, log, patientTimes)
    const { id, mentions, user, createdAt } = anOrganization()
    const { email, passwordHash } = user
    const document = { _id: email, id: user.id, organizationId: id, passwordHash }
    await admin.collection('organizations').insertOne({ _id: id as never, mentions, createdAt })
    await admin.collection('users').insertOne({ ...document, _id: email as never })
    const owner = { ...user, passwordVersion: 0, role: 'OWNER', createdAt }
    // `createdAt` is the organization's, which sign-in does not read.
    expect(await store.findUser(email)).toEqual({ ...owner, createdAt: '' })
    expect(await store.findMember(id, user.id)).toEqual({ user: owner, mentions })
    await store.close()
  })

  it('notices of earlier versions take turns with links', async () => {
    const link = aMail('password-reset', '2026-05-03T10:00:00.000Z')
    const old = aMail('rib-changed', '2026-05-03T10:01:00.000Z')
    const stored = { mail: old, attempts: 0, nextAttemptAt: old.createdAt }
    const store = await openMongoStore(config, log, patientTimes)
    // A process of an earlier version may still run.
    await admin.collection('mails').insertOne({ _id: old.id as never, ...stored })
    await store.addMail(link)
    const [now, leaseUntil] = ['2026-05-03T10:02:00.000Z', '2026-05-03T11:00:00.000Z']
    const taken = await store.takeMails({ now, leaseUntil, count: 2 })
    expect(taken.map(({ id }) => id)).toEqual([link.id, old.id])
    await store.close()
  })

  it('mails that were claimed before a failure are taken', async () => {
    const mongo = await openMongo(config, { what, migrations, log, times: patientTimes })
    let writes = 0
    // Completes the turns, claims one, and fails.
    const write: Mongo['write'] = (work) =>
      (writes += 1) < 3 ? mongo.write(work) : Promise.reject(new Error('it failed'))
    const mail = aMail('password-reset', '2026-05-03T10:00:00.000Z')
    await mails(mongo).addMail(mail)
    const { takeMails } = mails({ ...mongo, write })
    const due = { now: mail.createdAt, leaseUntil: '2026-05-03T11:00:00.000Z', count: 2 }
    expect((await takeMails(due)).map(({ id }) => id)).toEqual([mail.id])
    await expect(takeMails(due)).rejects.toThrow('it failed')
    await mongo.close()
  })

  /** Queries that an index alone did not answer in order. */
  async function scansSince(began: Date) {
    const profile = admin.collection('system.profile')
    const ns = new RegExp(`\\.(${collections.join('|')})$`)
    const ours = { ns, ts: { $gte: began } }
    const scans = { $or: [{ planSummary: /COLLSCAN/ }, { hasSortStage: true }] }
    expect(await profile.countDocuments(ours)).toBeGreaterThan(0)
    return profile.find({ ...ours, ...scans }).toArray()
  }
})
