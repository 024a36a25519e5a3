/** One account in several organizations: what ends in one stays in the others. */

import { randomUUID } from 'node:crypto'
import type { Role } from '@einvoicing/domain/role'
import { noFactors } from '../second-factor/factors'
import {
  anAudit,
  anInvitation,
  anOrganization,
  aSession,
  at,
  by,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { Joining, OrganizationStore, Session, SessionWriter, User } from './store'

const membershipsMax = 100

export function membershipsContract(opened: () => StoreUnderTest): void {
  describe('memberships', () => describeMemberships(opened))
}

function describeMemberships(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  /** Of an organization of their own. */
  let person: User
  let home: string
  beforeEach(async () => {
    store = opened().store
    ;({ user: person } = await addOrganization())
    home = person.organizationId
  })

  const addOrganization = async () => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization
  }
  const invite = async (organizationId: string, role: Role = 'ACCOUNTANT') => {
    const invitation = anInvitation(organizationId, { email: person.email, role })
    const invited = { invitation, max: 200 }
    expect(await store.invite(by(organizationId), invited, anAudit('member.invited'))).toEqual(
      invitation,
    )
    return invitation
  }
  const joining =
    (organizationId: string, fields: Partial<Joining['existing']> = {}, pwv = 0) =>
    ({ role }: { role: Role }): Joining => {
      const user = { ...person, organizationId, role, createdAt: '2026-05-04T00:00:00.000Z' }
      const session = aSession({ ...user, passwordVersion: pwv })
      const existing = { max: membershipsMax, ...fields }
      return { user, session, audit: anAudit('member.joined'), existing }
    }
  const join = async (organizationId: string, role: Role = 'ACCOUNTANT') => {
    const { digest } = await invite(organizationId, role)
    const joined = await store.acceptInvitation(digest, joining(organizationId))
    if (typeof joined !== 'object') throw new Error(joined)
    return joined
  }
  const joinAnother = async (role: Role = 'ACCOUNTANT') => {
    const { id } = await addOrganization()
    await join(id, role)
    return id
  }
  const open = async (organizationId: string, fields: Partial<Session> = {}) => {
    const session = aSession({ ...person, organizationId }, fields)
    expect(await store.openSession(session, anAudit('user.signed-in'))).toBe(true)
    return session
  }
  const isOpen = async (session: Session) => (await store.findSession(session)) !== undefined
  const writer = ({ organizationId, id }: Session, role: Role = 'READ_ONLY'): SessionWriter => ({
    ...by(organizationId),
    session: { id, role, at },
  })
  const listActions = async (organizationId: string) => {
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 100 })
    return entries.map(({ action }) => action)
  }
  const listOrganizationIds = async () =>
    (await store.listMemberships(person.id)).map(({ organizationId }) => organizationId)
  const remove = (organizationId: string) =>
    store.removeMember(by(organizationId), { id: person.id }, () => anAudit('member.removed'))
  const switched = { left: anAudit('left'), entered: anAudit('entered') }
  const readCode = async (answer: Promise<unknown>) => {
    try {
      return await answer
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it('that ends leaves a session in another organization, where the user is a member', async () => {
    const other = await joinAnother()
    const left = await open(other)
    const leave = (session: Session) => {
      const opened = { session, audit: anAudit('entered') }
      const audit = () => anAudit('member.left')
      return store.removeMember(writer(left), { id: person.id, opened }, audit)
    }
    const next = aSession({ ...person, organizationId: home })
    expect(await leave(next)).toMatchObject({ id: person.id })
    expect([await isOpen(left), await isOpen(next)]).toEqual([false, true])
    expect((await listActions(home))[0]).toBe('entered')
    expect((await listActions(other))[0]).toBe('member.left')
    expect(await readCode(leave(aSession({ ...person, organizationId: home })))).toBe(
      'SESSION_INVALID',
    )
  })

  it('that ends leaves no session where the user is no member', async () => {
    const other = await joinAnother()
    const stranger = aSession({ ...person, organizationId: (await addOrganization()).id })
    const opened = { session: stranger, audit: anAudit('entered') }
    await store.removeMember(by(other), { id: person.id, opened }, () => anAudit('member.left'))
    expect(await isOpen(stranger)).toBe(false)
    expect(await listOrganizationIds()).toEqual([home])
  })

  it('one at first; listed with name and role, in the order of joining', async () => {
    const [first] = await store.listMemberships(person.id)
    expect(first).toEqual({
      organizationId: home,
      organizationName: `Société ${home}`,
      role: 'OWNER',
    })
    const other = await joinAnother()
    expect(await store.listMemberships(person.id)).toEqual([
      first,
      { organizationId: other, organizationName: `Société ${other}`, role: 'ACCOUNTANT' },
    ])
    expect(await store.listMemberships(randomUUID())).toEqual([])
    store = await opened().reopen()
    expect(await listOrganizationIds()).toEqual([home, other])
  })

  it('each has its own role and date', async () => {
    const other = await joinAnother()
    const createdAt = '2026-05-04T00:00:00.000Z'
    const inOther = { id: person.id, organizationId: other, role: 'ACCOUNTANT', createdAt }
    expect((await store.findMember(other, person.id))?.user).toMatchObject(inOther)
    expect((await store.findMember(home, person.id))?.user).toMatchObject({
      organizationId: home,
      role: 'OWNER',
      createdAt: at,
    })
    expect(await store.listMembers(other)).toContainEqual({
      id: person.id,
      email: person.email,
      role: 'ACCOUNTANT',
      createdAt,
    })
    const role = { id: person.id, role: 'MEMBER' } as const
    await store.changeRole(by(other), role, () => anAudit('member.role-changed'))
    expect((await store.findMember(other, person.id))?.user.role).toBe('MEMBER')
    expect((await store.findMember(home, person.id))?.user.role).toBe('OWNER')
  })

  it('are not created twice: a member is neither invited nor joined again', async () => {
    const { id } = await addOrganization()
    const { digest } = await invite(id)
    await store.acceptInvitation(digest, joining(id))
    const again = { invitation: anInvitation(id, { email: person.email }), max: 200 }
    expect(await store.invite(by(id), again, anAudit('x'))).toBe('email-taken')
    expect(await store.acceptInvitation(digest, joining(id))).toBeUndefined()
    expect(await store.listMembers(id)).toHaveLength(2)
  })

  it('stay within the limit', async () => {
    const [second, third] = [await addOrganization(), await addOrganization()]
    const accept = async (organizationId: string) => {
      const { digest } = await invite(organizationId)
      return store.acceptInvitation(digest, joining(organizationId, { max: 2 }))
    }
    expect(await accept(second.id)).toMatchObject({ organizationId: second.id })
    expect(await accept(third.id)).toBe('too-many')
    expect(await listOrganizationIds()).toEqual([home, second.id])
    expect(await listActions(third.id)).not.toContain('member.joined')
  })

  it('cannot be created by an account that was removed, has another password, or whose session ended', async () => {
    const { id } = await addOrganization()
    const { digest } = await invite(id)
    expect(await store.acceptInvitation(digest, joining(id, {}, 1))).toBe('gone')
    const session = await open(home)
    await store.endSession(home, session.id, anAudit('user.signed-out'))
    const byEnded = store.acceptInvitation(digest, joining(id, { by: writer(session) }))
    expect(await readCode(byEnded)).toBe('SESSION_INVALID')
    expect(await listOrganizationIds()).toEqual([home])
    expect(await store.findInvitation(digest)).toBeDefined()
  })

  it('made in a session move it: that session ends, and the new one is open', async () => {
    const { id } = await addOrganization()
    const { digest } = await invite(id)
    const [session, another] = [await open(home), await open(home)]
    const made = joining(id, { by: writer(session) })({ role: 'ACCOUNTANT' })
    expect(await store.acceptInvitation(digest, () => made)).toMatchObject({ organizationId: id })
    expect(await Promise.all([session, another, made.session].map(isOpen))).toEqual([
      false,
      true,
      true,
    ])
    expect((await store.findSession(made.session))?.user.role).toBe('ACCOUNTANT')
  })

  it('made by a sign-in are audited there, and the sign-in in an organization of before', async () => {
    const { id } = await addOrganization()
    const { digest } = await invite(id)
    const signedIn = { organizationId: home, audit: anAudit('user.signed-in') }
    const joined = await store.acceptInvitation(digest, joining(id, { signedIn }))
    expect(joined).toMatchObject({ organizationId: id })
    expect((await listActions(home))[0]).toBe('user.signed-in')
    expect((await listActions(id))[0]).toBe('member.joined')
  })

  it('the last used one is where signing in leads', async () => {
    const other = await joinAnother()
    expect((await store.findUser(person.email))?.organizationId).toBe(other)
    await open(home)
    expect(await store.findUser(person.email)).toMatchObject({
      organizationId: home,
      role: 'OWNER',
    })
    expect((await store.findUserById(person.id))?.organizationId).toBe(home)
  })

  it('are switched between: one session ends, the other opens, each organization has its entry', async () => {
    const other = await joinAnother()
    const session = await open(home)
    const there = aSession({ ...person, organizationId: other })
    expect(await store.switchOrganization(writer(session), there, switched)).toBe(true)
    expect(await isOpen(session)).toBe(false)
    expect((await store.findSession(there))?.user).toMatchObject({
      organizationId: other,
      role: 'ACCOUNTANT',
    })
    expect((await listActions(home))[0]).toBe('left')
    expect((await listActions(other))[0]).toBe('entered')
    expect((await store.findUser(person.email))?.organizationId).toBe(other)
    const again = aSession({ ...person, organizationId: other })
    const replayed = store.switchOrganization(writer(session), again, switched)
    expect(await readCode(replayed)).toBe('SESSION_INVALID')
  })

  it('of others are not switched to, and the session stays', async () => {
    const stranger = await addOrganization()
    const session = await open(home)
    const there = aSession({ ...person, organizationId: stranger.id })
    expect(await store.switchOrganization(writer(session), there, switched)).toBe(false)
    expect([await isOpen(session), await isOpen(there)]).toEqual([true, false])
    expect(await store.openSession(there, anAudit('x'))).toBe(false)
    expect(await store.findMember(stranger.id, person.id)).toBeUndefined()
  })

  it('end one by one: sessions there end, the account stays otherwise', async () => {
    const other = await joinAnother()
    const enrolled = { ...noFactors, totp: { secret: 'sealed', lastStep: 7 } }
    await store.changeSecondFactors(by(home), person.id, () => ({ after: enrolled, audits: [] }))
    const [here, there] = [await open(home), await open(other)]
    expect(await remove(other)).toMatchObject({ id: person.id })
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, false])
    expect(await listOrganizationIds()).toEqual([home])
    expect(await store.findMember(other, person.id)).toBeUndefined()
    expect(await store.findSecondFactors(person.id)).toEqual(enrolled)
    expect(await store.findUser(person.email)).toMatchObject({ organizationId: home })
    // Again a member, of the same account.
    await join(other, 'MEMBER')
    expect((await store.findMember(other, person.id))?.user.role).toBe('MEMBER')
  })

  it('the first one can end too: another is used then; with the last the account ends', async () => {
    const other = await joinAnother('OWNER')
    const third = await joinAnother('MEMBER')
    const here = await open(home)
    const owners = { id: (await addOwner(home)).id }
    expect(owners.id).not.toBe(person.id)
    expect(await remove(home)).toMatchObject({ role: 'OWNER' })
    expect(await isOpen(here)).toBe(false)
    expect((await listOrganizationIds()).sort()).toEqual([other, third].sort())
    expect([other, third]).toContain((await store.findUser(person.email))?.organizationId)
    expect((await store.findMember(other, person.id))?.user.role).toBe('OWNER')
    expect((await store.findMember(third, person.id))?.user.role).toBe('MEMBER')
    expect(await store.listMembers(home)).toHaveLength(1)
    await remove(other)
    await remove(third)
    expect(await store.findUser(person.email)).toBeUndefined()
    expect(await store.findSecondFactors(person.id)).toEqual(noFactors)
  })

  const addOwner = async (organizationId: string) => {
    const invitation = anInvitation(organizationId, { role: 'OWNER' })
    await store.invite(by(organizationId), { invitation, max: 200 }, anAudit('member.invited'))
    const { passwordHash, knownNetworks, knownDevices } = person
    const { email, role, createdAt } = invitation
    const account = { passwordHash, passwordVersion: 0, knownNetworks, knownDevices }
    const user = { id: randomUUID(), organizationId, email, role, createdAt, ...account }
    const made = { user, session: aSession(user), audit: anAudit('member.joined') }
    await store.acceptInvitation(invitation.digest, () => made)
    return user
  }

  it('owners of one end sessions in theirs alone; the person ends all, audited where one was', async () => {
    const other = await joinAnother()
    const [here, there] = [await open(home), await open(other)]
    const of = { userId: person.id }
    const listed = await store.listSessions({ ...of, now: at })
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([here.id, there.id]))
    expect(await store.endSessions(by(other), of, anAudit('by owner'))).toBe(2)
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, false])
    expect(await listActions(home)).not.toContain('by owner')
    const back = await open(other)
    const all = { ...of, except: back.id, everywhere: true }
    expect(await store.endSessions(writer(back), all, anAudit('by person'))).toBe(1)
    expect([await isOpen(here), await isOpen(back)]).toEqual([false, true])
    expect([(await listActions(home))[0], (await listActions(other))[0]]).toEqual([
      'by person',
      'user.signed-in',
    ])
  })

  it('a new password ends the sessions in all organizations', async () => {
    const other = await joinAnother()
    const [here, there] = [await open(home), await open(other)]
    const seen = { ...person, organizationId: other }
    const session = aSession({ ...seen, passwordVersion: 1 })
    const change = { seen, passwordHash: 'another', session }
    expect(await store.changePassword(writer(there), change, anAudit('x'))).toBe(true)
    expect(await Promise.all([here, there, session].map(isOpen))).toEqual([false, false, true])
    expect((await store.findMember(home, person.id))?.user.passwordVersion).toBe(1)
  })

  it('a second factor is required by the organization that the session is in', async () => {
    const other = await joinAnother()
    await store.requireSecondFactor(by(other), true, anAudit('second-factor.required'))
    const [here, there] = [await open(home), await open(other)]
    expect((await store.findSession(here))?.isFactorMissing).toBe(false)
    expect((await store.findSession(there))?.isFactorMissing).toBe(true)
  })

  it('two organizations that remove one person at once end the account once', async () => {
    const other = await joinAnother()
    await addOwner(home)
    const another = await opened().openAnother()
    const removing = (one: OrganizationStore, organizationId: string) =>
      one.removeMember(by(organizationId), { id: person.id }, () => anAudit('member.removed'))
    const removed = await Promise.all([removing(store, home), removing(another, other)])
    expect(removed).toMatchObject([{ id: person.id }, { id: person.id }])
    expect(await store.findUser(person.email)).toBeUndefined()
  })
}
