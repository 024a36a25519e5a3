import { randomBytes, randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { mentionsNamed } from '../../legal-mentions'
import { aUser, by, findHolder } from '../../testdata/store-under-test'
import { openMongoStore } from './mongo-store'
import { leaseMs } from './lease'
import type { NewOrganization, OrganizationStore } from '../store'

const at = '2026-05-03T10:00:00.000Z'
const audit = (action: string) => ({ at, actor: 'user:a@example.com', action })
const passing = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 }

function anOrganization(): NewOrganization {
  const id = randomUUID()
  const user = aUser(id, { email: `${id}@a.ma`, role: 'OWNER' })
  return { id, mentions: mentionsNamed(id), createdAt: at, user }
}

function aKey(organizationId: string) {
  const last4 = 'abcd'
  return {
    id: randomUUID(),
    organizationId,
    name: '',
    digest: randomBytes(32),
    pepper: 'none',
    last4,
    createdAt: at,
    scopes: [],
    allowedNetworks: [],
  }
}

/** Signs organizations up, eight at a time, until it is stopped; remembers each answer. */
class SigningUp {
  readonly tried: NewOrganization[] = []
  readonly acknowledged: NewOrganization[] = []
  private stopping = false
  private readonly workers: Promise<unknown>

  constructor(store: OrganizationStore) {
    this.workers = Promise.all(Array.from({ length: 8 }, () => this.work(store)))
  }

  async reach(count: number): Promise<void> {
    await eventually(() => expect(this.acknowledged.length).toBeGreaterThanOrEqual(count))
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.workers
  }

  private async work(store: OrganizationStore): Promise<void> {
    while (!this.stopping) {
      const organization = anOrganization()
      this.tried.push(organization)
      try {
        await store.addOrganization(organization, audit('organization.created'))
        this.acknowledged.push(organization)
      } catch (error) {
        expect(error).toMatchObject(passing)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Everything acknowledged is there, and nothing is there in part. */
async function expectWhole(store: OrganizationStore, signingUp: SigningUp): Promise<void> {
  const acknowledged = new Set(signingUp.acknowledged)
  for (const organization of signingUp.tried) {
    const { id, user } = organization
    const found = [
      (await store.findMentions(id)) !== undefined,
      (await store.findUser(user.email)) !== undefined,
      (await store.listAudit(id, { page: 0, size: 1 })).total === 1,
    ]
    if (acknowledged.has(organization)) expect(found).toEqual([true, true, true])
    else expect(new Set(found).size).toBe(1)
  }
}

describeWithOwn('mongod', 'organizations in a MongoDB that is hurt', () => {
  let server: Mongod
  let store: OrganizationStore
  beforeAll(async () => (server = await startMongod()))
  beforeEach(async () => (store = await open()))
  afterEach(() => store.close())
  afterAll(() => server.dispose())

  const open = () => openMongoStore({ kind: 'mongodb', url: server.url }, createLog('silent'))

  it('several open an empty database at once', async () => {
    const several = await Promise.all([open(), open(), open(), open()])
    const marks = several.map((one, index) => one.rememberFirst('mark', String(index)))
    expect(new Set(await Promise.all(marks)).size).toBe(1)
    await Promise.all(several.map((one) => one.close()))
  })

  it('acknowledged objects are stored and complete when it is killed again and again', async () => {
    const signingUp = new SigningUp(store)
    for (const count of [40, 80]) {
      await signingUp.reach(count)
      await server.kill9()
      await server.start()
    }
    await signingUp.reach(120)
    await signingUp.stop()
    await expectWhole(store, signingUp)
  })

  it('requests fail in time while it hangs, and succeed when it resumes', async () => {
    const organization = anOrganization()
    const key = aKey(organization.id)
    await store.addOrganization(organization, audit('organization.created'))
    await store.addApiKey(
      by(key.organizationId),
      { key: key, max: 1_000 },
      audit('api-key.created'),
    )
    await server.pause()
    const startedMs = performance.now()
    const pending = [
      findHolder(store, [key.digest]),
      store.revokeApiKey(by(organization.id), key.id, audit('api-key.revoked')),
      store.addOrganization(anOrganization(), audit('organization.created')),
      store.rememberFirst('a', '1'),
      store.recordUses(new Map([[key.id, at]])),
      store.check(),
    ]
    const refused = await Promise.all(pending.map((one) => one.catch((error: unknown) => error)))
    expect(performance.now() - startedMs).toBeLessThan(15_000)
    expect(refused).toMatchObject(pending.map(() => passing))
    await server.resume()
    await eventually(() => store.check())
    const revoke = () => store.revokeApiKey(by(organization.id), key.id, audit('api-key.revoked'))
    expect((await eventually(revoke))?.revokedAt).toBe(at)
    expect(await findHolder(store, [key.digest])).toBeUndefined()
    const { entries } = await store.listAudit(organization.id, { page: 0, size: 9 })
    expect(entries.filter(({ action }) => action === 'api-key.revoked')).toHaveLength(1)
  })
})

describeWithOwn('mongod', 'organizations in a MongoDB of three members', () => {
  it('survive a step-down and a kill of the primary', async () => {
    const server = await startMongod({ members: 3 })
    const store = await openMongoStore({ kind: 'mongodb', url: server.url }, createLog('silent'))
    const organization = anOrganization()
    const [live, revoked] = [aKey(organization.id), aKey(organization.id)]
    await store.addOrganization(organization, audit('organization.created'))
    for (const key of [live, revoked])
      await store.addApiKey(
        by(key.organizationId),
        { key: key, max: 1_000 },
        audit('api-key.created'),
      )
    const signingUp = new SigningUp(store)
    await signingUp.reach(20)
    await store.revokeApiKey(by(organization.id), revoked.id, audit('api-key.revoked'))
    await server.stepDown()
    expect(await eventually(() => findHolder(store, [revoked.digest]))).toBeUndefined()
    await signingUp.reach(40)
    const died = await server.primary()
    await died.kill9()
    expect(await eventually(() => findHolder(store, [revoked.digest]))).toBeUndefined()
    expect(await findHolder(store, [live.digest])).toMatchObject({ apiKeyId: live.id })
    await signingUp.reach(60)
    await signingUp.stop()
    await expectWhole(store, signingUp)
    await store.close()
    await server.dispose()
  }, 60_000)

  it('no key is accepted by a primary that has lost its majority', async () => {
    const server = await startMongod({ members: 3 })
    const store = await openMongoStore({ kind: 'mongodb', url: server.url }, createLog('silent'))
    const organization = anOrganization()
    const key = aKey(organization.id)
    await store.addOrganization(organization, audit('organization.created'))
    await store.addApiKey(by(organization.id), { key, max: 10 }, audit('api-key.created'))
    expect(await findHolder(store, [key.digest])).toMatchObject({ apiKeyId: key.id })
    const primary = await server.primary()
    const others = server.members.filter((member) => member !== primary)
    await Promise.all(others.map((member) => member.pause()))
    await new Promise((resolve) => setTimeout(resolve, 2 * leaseMs))
    await expect(findHolder(store, [key.digest])).rejects.toMatchObject(passing)
    await Promise.all(others.map((member) => member.resume()))
    const found = await eventually(() => findHolder(store, [key.digest]))
    expect(found).toMatchObject({ apiKeyId: key.id })
    await store.close()
    await server.dispose()
  }, 60_000)
})
