import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startMongod } from '@einvoicing/servers/mongod'
import { anAudit, anOrganization, aSession } from '../../testdata/store-under-test'
import { openMongoStore } from './mongo-store'
import type { OrganizationStore, Session, User } from '../store'

const usersAtOnce = 4
// Fewer than end the oldest one.
const keptMax = 40

/** Opens sessions, and ends every second one, until it is stopped; remembers each answer. */
class Sessions {
  readonly open: Session[] = []
  readonly ended: Session[] = []
  private stopping = false
  private workers: Promise<unknown> | undefined
  private readonly store: OrganizationStore

  constructor(store: OrganizationStore) {
    this.store = store
  }

  async start(): Promise<void> {
    const users = await Promise.all(
      Array.from({ length: usersAtOnce }, async () => {
        const organization = anOrganization()
        await this.store.addOrganization(organization, anAudit('organization.created'))
        return organization.user
      }),
    )
    this.workers = Promise.all(users.map((user) => this.work(user)))
  }

  async reachMore(count: number): Promise<void> {
    const goal = this.ended.length + count
    const giveUpAt = Date.now() + 30_000
    while (this.ended.length < goal) {
      if (Date.now() > giveUpAt) throw new Error(`${this.ended.length} of ${goal} sessions ended`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.workers
  }

  async expectNeitherLostNorResurrected(): Promise<void> {
    const isFound = async (session: Session) =>
      (await this.store.findSession(session)) !== undefined
    expect(await Promise.all(this.ended.map(isFound))).toEqual(this.ended.map(() => false))
    expect(await Promise.all(this.open.map(isFound))).toEqual(this.open.map(() => true))
  }

  private async work(user: User): Promise<void> {
    for (let count = 0; !this.stopping; count += 1) {
      const session = aSession(user)
      try {
        await this.store.openSession(session, anAudit('user.signed-in'))
        if (count % 2 === 0 && count / 2 < keptMax) {
          this.open.push(session)
          continue
        }
        const { organizationId, id } = session
        await this.store.endSession(organizationId, id, anAudit('user.signed-out'))
        this.ended.push(session)
        expect(await this.store.findSession(session)).toBeUndefined()
      } catch (error) {
        // Not acknowledged: it may be open or not.
        expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

describeWithOwn('mongod', 'sessions in a MongoDB of three members', () => {
  it('are neither lost nor resurrected by a step-down and the death of the primary', async () => {
    const server = await startMongod({ members: 3 })
    const store = await openMongoStore({ kind: 'mongodb', url: server.url }, createLog('silent'))
    const sessions = new Sessions(store)
    await sessions.start()
    await sessions.reachMore(8)
    await server.stepDown()
    await sessions.reachMore(8)
    await (await server.primary()).kill9()
    await sessions.reachMore(8)
    await sessions.stop()
    expect(sessions.open.length).toBeGreaterThan(8)
    await sessions.expectNeitherLostNorResurrected()
    await store.close()
    await server.dispose()
  }, 120_000)
})
