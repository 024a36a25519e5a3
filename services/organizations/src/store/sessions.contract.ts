import { randomBytes, randomUUID } from 'node:crypto'
import { limits } from '@einvoicing/domain/limits'
import { knownNetworksMax } from '../session'
import type { Role } from '@einvoicing/domain/role'
import { mentionsNamed } from '../legal-mentions'
import {
  aKey,
  anAudit,
  anInvitation,
  anOrganization,
  aSession,
  at,
  by,
  countUnrevoked,
  joinAs,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { OrganizationStore, Session, User, Writer } from './store'

export function sessionsContract(opened: () => StoreUnderTest): void {
  describe('sessions', () => describeSessions(opened))
}

function describeSessions(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  let owner: User
  beforeEach(async () => {
    store = opened().store
    owner = await addOwner()
  })

  const addOwner = async (): Promise<User> => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization.user
  }
  const open = async (user: User, fields: Partial<Session> = {}): Promise<Session> => {
    const session = aSession(user, fields)
    expect(await store.openSession(session, anAudit('user.signed-in'))).toBe(true)
    return session
  }
  const isOpen = async (session: Session) => (await store.findSession(session)) !== undefined
  const writer = ({ organizationId, id }: Session, role: Role = 'OWNER'): Writer => ({
    ...by(organizationId),
    session: { id, role, at },
  })
  const changePassword = (user: User, session: Session) =>
    store.changePassword(
      by(user.organizationId),
      { seen: user, passwordHash: 'another', session },
      anAudit('password.changed'),
    )
  const listActions = async ({ organizationId }: User) => {
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 100 })
    return entries.map(({ action }) => action)
  }
  const readCode = async (answer: Promise<unknown>) => {
    try {
      return await answer
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  describe('a session', () => {
    it('is found with its user and the mentions of now, by all that names it', async () => {
      const session = await open(owner)
      const stranger = await addOwner()
      const mentions = mentionsNamed('Renommée')
      await store.replaceMentions(by(owner.organizationId), { mentions }, () => anAudit('x'))
      const known = { knownNetworks: [session.network], knownDevices: [session.device] }
      const user = { ...owner, ...known }
      expect(await store.findSession(session)).toEqual({
        session,
        user,
        mentions,
        isFactorMissing: false,
      })
      for (const other of [
        { id: randomUUID() },
        { id: '' },
        { organizationId: stranger.organizationId },
        { userId: stranger.id },
      ]) {
        expect(await store.findSession({ ...session, ...other })).toBeUndefined()
      }
    })

    it('is opened by signing up and by joining', async () => {
      const organization = anOrganization()
      const session = aSession(organization.user)
      await store.addOrganization({ ...organization, session }, anAudit('organization.created'))
      expect(await isOpen(session)).toBe(true)
      const joined = await joinAs(store, organization.id, 'MEMBER')
      expect((await store.findSession(joined.session))?.user.knownNetworks).toEqual(['192.0.2.1'])
    })

    it('is not opened for a removed user or after a password change', async () => {
      const { user, session } = await joinAs(store, owner.organizationId, 'MEMBER')
      await store.removeMember(by(owner.organizationId), { id: user.id }, () =>
        anAudit('member.removed'),
      )
      expect(await isOpen(session)).toBe(false)
      expect(await store.openSession(aSession(user), anAudit('x'))).toBe(false)
      const other = aSession({ ...owner, passwordVersion: 1 })
      expect(await store.openSession(other, anAudit('x'))).toBe(false)
      expect(await isOpen(other)).toBe(false)
      expect(await listActions(owner)).not.toContain('x')
    })

    it('is ended once, audited, and others are not', async () => {
      const [session, other] = [await open(owner), await open(owner)]
      const end = (organizationId = owner.organizationId) =>
        store.endSession(organizationId, session.id, anAudit('user.signed-out'))
      expect(await end(randomUUID())).toBe(false)
      expect(await end()).toBe(true)
      expect(await end()).toBe(false)
      expect([await isOpen(session), await isOpen(other)]).toEqual([false, true])
      expect((await listActions(owner)).filter((one) => one === 'user.signed-out')).toHaveLength(1)
    })

    it('ends with every other of its user when the password is changed', async () => {
      const [session, stranger] = [await open(owner), await open(await addOwner())]
      const fresh = aSession({ ...owner, passwordVersion: 1 })
      expect(await changePassword(owner, fresh)).toBe(true)
      expect(await isOpen(session)).toBe(false)
      expect(await isOpen(fresh)).toBe(true)
      expect(await isOpen(stranger)).toBe(true)
    })

    it('the number is limited: the oldest one ends', async () => {
      const [first, second, ...others] = [...Array(limits.sessionsPerUser + 1).keys()]
      const began = (n: number) => new Date(Date.parse(at) + n * 1_000).toISOString()
      const sessions: Session[] = []
      for (const n of [second!, ...others, first!]) {
        sessions.push(await open(owner, { createdAt: began(n) }))
      }
      expect(await isOpen(sessions.at(-1)!)).toBe(false)
      expect(await isOpen(sessions[0]!)).toBe(true)
    })

    it('remembers the networks its user came from, the latest first, and no more than a few', async () => {
      const networks = [...Array(knownNetworksMax + 2).keys()].map((n) => `192.0.2.${n}`)
      for (const network of [...networks, '192.0.2.5']) await open(owner, { network })
      const known = (await store.findUser(owner.email))?.knownNetworks
      expect(known?.slice(0, 3)).toEqual(['192.0.2.5', networks.at(-1), networks.at(-2)])
      expect(known).toHaveLength(knownNetworksMax)
    })

    it('was last seen at the latest moment recorded, in any order', async () => {
      const session = await open(owner)
      for (const month of ['07', '06']) {
        await store.recordSeen(new Map([[session.id, `2026-${month}-01T00:00:00.000Z`]]))
      }
      await store.recordSeen(new Map([[randomUUID(), at]]))
      await store.recordSeen(new Map())
      const found = await store.findSession(session)
      expect(found?.session.lastSeenAt).toBe('2026-07-01T00:00:00.000Z')
    })

    it('is listed for its user until it expires, the latest seen first', async () => {
      const seen = (day: number) => ({ lastSeenAt: `2026-05-0${day}T00:00:00.000Z` })
      const [first, second] = [await open(owner, seen(1)), await open(owner, seen(2))]
      await open(owner, { expiresAt: '2026-05-03T10:00:01.000Z' })
      await open(await addOwner())
      const { id: userId } = owner
      const list = (of: object = {}) =>
        store.listSessions({ userId, now: '2026-05-03T10:00:01.000Z', ...of })
      expect(await list()).toEqual([second, first])
      expect(await list({ now: at })).toHaveLength(3)
      expect(await list({ userId: randomUUID() })).toEqual([])
    })

    it('its user or an owner ends one, or all others, audited once', async () => {
      const [one, two, three] = [await open(owner), await open(owner), await open(owner)]
      const stranger = await open(await addOwner())
      const { organizationId, id: userId } = owner
      const end = (of: { id?: string; except?: string; userId?: string }) =>
        store.endSessions(by(organizationId), { userId, ...of }, anAudit('session.ended'))
      expect(await end({ id: stranger.id })).toBe(0)
      expect(await end({ id: stranger.id, userId: stranger.userId })).toBe(0)
      expect(await end({ id: two.id })).toBe(1)
      expect(await end({ id: two.id })).toBe(0)
      expect(await end({ except: one.id })).toBe(1)
      expect(await Promise.all([one, two, three, stranger].map(isOpen))).toEqual([
        true,
        false,
        false,
        true,
      ])
      expect(await end({})).toBe(1)
      expect((await listActions(owner)).filter((one) => one === 'session.ended')).toHaveLength(3)
    })

    it('is confirmed when it is opened, and again later', async () => {
      const session = await open(owner)
      const later = '2026-05-03T10:30:00.000Z'
      const late = { id: session.id, role: 'OWNER', at: later, confirmedSince: later } as const
      const who = { ...by(owner.organizationId), session: late }
      const addKey = () =>
        store.addApiKey(who, { key: aKey(owner.organizationId), max: 9 }, anAudit('late'))
      expect(await readCode(addKey())).toBe('CONFIRMATION_REQUIRED')
      const confirm = (id: string) =>
        store.confirmSession(writer(session), { id, confirmedAt: later }, anAudit('user.confirmed'))
      await confirm(session.id)
      expect(await addKey()).toBe('added')
      expect(await listActions(owner)).toEqual(expect.arrayContaining(['user.confirmed', 'late']))
      const confirmed = { ...session, confirmedAt: later, lastSeenAt: later }
      expect((await store.findSession(session))?.session).toEqual(confirmed)
      const { organizationId } = owner
      await store.endSession(organizationId, session.id, anAudit('user.signed-out'))
      expect(await readCode(confirm(session.id))).toBe('SESSION_INVALID')
    })

    it('goes on under another id when it is confirmed, once', async () => {
      const session = await open(owner)
      const confirmedAt = '2026-05-03T10:30:00.000Z'
      const renewed = { ...session, id: randomUUID(), confirmedAt, lastSeenAt: confirmedAt }
      const outcomes = await Promise.allSettled(
        [renewed.id, randomUUID()].map((id) =>
          store.confirmSession(writer(session), { id, confirmedAt }, anAudit('user.confirmed')),
        ),
      )
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await store.findSession(session)).toBeUndefined()
      const list = await store.listSessions({ userId: owner.id, now: confirmedAt })
      const others = list.filter(({ createdAt }) => createdAt === session.createdAt)
      if (outcomes[0]?.status === 'fulfilled') {
        expect((await store.findSession(renewed))?.session).toEqual(renewed)
        expect(others).toContainEqual(renewed)
      }
    })

    it('stays when the store is closed and opened again', async () => {
      const session = await open(owner)
      store = await opened().reopen()
      expect((await store.findSession(session))?.session).toEqual(session)
    })
  })

  describe('a password reset', () => {
    const offer = async (user: User, fields: { expiresAt?: string } = {}) => {
      const { organizationId, id: userId, passwordVersion } = user
      const expiresAt = '2099-01-01T00:00:00.000Z'
      const reset = { digest: randomBytes(32), organizationId, userId, passwordVersion, expiresAt }
      await store.addPasswordReset({ ...reset, ...fields }, anAudit('password.reset-offered'))
      return reset.digest
    }
    const use = (digest: Buffer) =>
      store.usePasswordReset(digest, { passwordHash: 'new' }, anAudit('password.reset'))

    it('is used once, even concurrently, and ends every session and other link', async () => {
      const session = await open(owner)
      const [digest, other] = [await offer(owner), await offer(owner)]
      expect(await store.findPasswordReset(digest)).toMatchObject({ email: owner.email })
      const used = await Promise.all([use(digest), use(digest), use(digest)])
      expect(used.filter(Boolean)).toHaveLength(1)
      expect(await isOpen(session)).toBe(false)
      expect(await use(other)).toBe(false)
      expect(await store.findPasswordReset(other)).toBeUndefined()
      const changed = { passwordHash: 'new', passwordVersion: 1 }
      expect(await store.findUser(owner.email)).toMatchObject(changed)
      expect((await listActions(owner)).filter((one) => one === 'password.reset')).toHaveLength(1)
    })

    it('is invalid when late, after a password change, or for a removed user', async () => {
      expect(await use(await offer(owner, { expiresAt: at }))).toBe(false)
      const digest = await offer(owner)
      await changePassword(owner, aSession({ ...owner, passwordVersion: 1 }))
      expect(await use(digest)).toBe(false)
      const { user } = await joinAs(store, owner.organizationId, 'MEMBER')
      const theirs = await offer(user)
      await store.removeMember(by(owner.organizationId), { id: user.id }, () =>
        anAudit('member.removed'),
      )
      expect(await use(theirs)).toBe(false)
      expect(await store.findPasswordReset(randomBytes(32))).toBeUndefined()
    })
  })

  describe('writing by a session', () => {
    const writes: [string, (who: Writer) => Promise<unknown>][] = [
      ['makes an API key', (who) => addKey(who)],
      ['revokes one', (who) => store.revokeApiKey(who, randomUUID(), anAudit('write'))],
      ['invites', (who) => invite(who)],
      [
        'changes a role',
        (who) => store.changeRole(who, { id: randomUUID(), role: 'OWNER' }, () => anAudit('write')),
      ],
      ['removes', (who) => store.removeMember(who, { id: randomUUID() }, () => anAudit('write'))],
      [
        'changes the mentions',
        (who) =>
          store.replaceMentions(who, { mentions: mentionsNamed('x') }, () => anAudit('write')),
      ],
    ]
    const addKey = (who: Writer, max = 1_000) =>
      store.addApiKey(who, { key: aKey(who.organizationId), max }, anAudit('write'))
    const invite = (who: Writer) => {
      const invitation = anInvitation(who.organizationId, { role: 'OWNER' })
      return store.invite(who, { invitation, max: 200 }, anAudit('write'))
    }

    it.each(writes)('%s while it is open, and not after', async (_, write) => {
      const session = await open(owner)
      expect(String(await readCode(write(writer(session))))).not.toMatch(/SESSION|FORBIDDEN/)
      await store.endSession(owner.organizationId, session.id, anAudit('user.signed-out'))
      const before = await listActions(owner)
      expect(await readCode(write(writer(session)))).toBe('SESSION_INVALID')
      expect(await listActions(owner)).toEqual(before)
    })

    it.each(writes)('%s only with the role, within the organization, in time', async (_, write) => {
      const { session } = await joinAs(store, owner.organizationId, 'MEMBER')
      expect(await readCode(write(writer(session)))).toBe('FORBIDDEN')
      const stranger = await open(await addOwner())
      const elsewhere = { ...writer(stranger), organizationId: owner.organizationId }
      expect(await readCode(write(elsewhere))).toBe('SESSION_INVALID')
      const late = await open(owner)
      const tooLate = { id: late.id, role: 'OWNER', at: late.expiresAt } as const
      expect(await readCode(write({ ...writer(late), session: tooLate }))).toBe('SESSION_INVALID')
      expect(await listActions(owner)).not.toContain('write')
    })

    it('changes a password only while it is open', async () => {
      const session = await open(owner)
      await store.endSession(owner.organizationId, session.id, anAudit('user.signed-out'))
      const change = { seen: owner, passwordHash: 'x', session: aSession(owner) }
      const answer = store.changePassword(writer(session, 'READ_ONLY'), change, anAudit('x'))
      expect(await readCode(answer)).toBe('SESSION_INVALID')
    })

    it('makes no key past the limit, however many come at once', async () => {
      const other = await opened().openAnother()
      const who = writer(await open(owner))
      const add = (one: OrganizationStore) =>
        readCode(
          one.addApiKey(who, { key: aKey(who.organizationId), max: 3 }, anAudit('api-key.created')),
        )
      const outcomes = await Promise.all([store, other, store, other, store, other].map(add))
      expect(outcomes.sort()).toEqual(['added', 'added', 'added', ...Array(3).fill('too-many')])
      expect(await countUnrevoked(store, owner.organizationId)).toBe(3)
      expect(await readCode(addKey(by(randomUUID())))).toBe('no-organization')
    })
  })
}
