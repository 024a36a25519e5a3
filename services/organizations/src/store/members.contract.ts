import { randomBytes, randomUUID } from 'node:crypto'
import { mentionsNamed } from '../legal-mentions'
import {
  anAudit,
  anInvitation,
  anOrganization,
  aUser,
  type StoreUnderTest,
  by,
  aSession,
} from '../testdata/store-under-test'
import type { Invitation, NewOrganization, OrganizationStore, User } from './store'

const peopleMax = 200

export function membersContract(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = opened().store
  })

  const addOrganization = async (): Promise<NewOrganization> => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization
  }
  const invite = async (organizationId: string, fields: Partial<Invitation> = {}) => {
    const invitation = anInvitation(organizationId, fields)
    const invited = await store.invite(
      by(organizationId),
      { invitation, max: peopleMax },
      anAudit('member.invited'),
    )
    if (typeof invited === 'string') throw new Error(invited)
    return invited
  }
  const joining = ({ organizationId, email, role }: Invitation) => {
    const user = aUser(organizationId, { email, role })
    return { user, session: aSession(user), audit: anAudit('member.joined') }
  }
  const addMember = async (organizationId: string, fields: Partial<Invitation> = {}) => {
    const { digest } = await invite(organizationId, fields)
    return (await store.acceptInvitation(digest, joining)) as User
  }
  const listActions = async (organizationId: string) => {
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 100 })
    return entries.map(({ action }) => action)
  }
  const listRoles = async (organizationId: string) =>
    (await store.listMembers(organizationId)).map(({ role }) => role)
  const changed = () => anAudit('member.role-changed')
  const removed = () => anAudit('member.removed')

  describe('members', () => {
    it('are listed with those whose address is not verified', async () => {
      const { id, user } = await addOrganization()
      const unverifiedSince = '2026-05-03T10:00:00.000Z'
      const { digest } = await invite(id)
      await store.acceptInvitation(digest, (invitation) => {
        const joined = joining(invitation)
        return { ...joined, user: { ...joined.user, unverifiedSince } }
      })
      const invited = await invite(id)
      const listed = await store.listMembers(id)
      const verified = listed.filter(({ isUnverified }) => !isUnverified)
      expect(listed).toHaveLength(3)
      expect(verified.map(({ email }) => email)).toEqual([user.email, invited.email])
    })

    it('are found by id within their organization only, with its current legal details', async () => {
      const [{ id, user }, stranger] = [await addOrganization(), await addOrganization()]
      const mentions = mentionsNamed('Renommée')
      await store.replaceMentions(by(id), { mentions }, () => anAudit('mentions.updated'))
      expect(await store.findMember(id, user.id)).toEqual({ user, mentions })
      expect(await store.findMember(stranger.id, user.id)).toBeUndefined()
      expect(await store.findMember(id, randomUUID())).toBeUndefined()
      expect(await store.findMember(id, '')).toBeUndefined()
    })

    it('are listed for their organization alone, then who is invited, oldest first', async () => {
      const [{ id, user, createdAt }, stranger] = [await addOrganization(), await addOrganization()]
      const invited = await invite(id, { createdAt: '2026-05-01T00:00:00.000Z', role: 'OWNER' })
      const older = await invite(id, { createdAt: '2026-04-01T00:00:00.000Z' })
      const joined = await addMember(id, { role: 'READ_ONLY' })
      await invite(stranger.id)
      const shown = ({ id, email, role, createdAt }: User | Invitation) => ({
        id,
        email,
        role,
        createdAt,
      })
      const people = await store.listMembers(id)
      expect(people.slice(0, 2)).toEqual(
        [user, joined]
          .map(shown)
          .sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1)),
      )
      expect(people.slice(2)).toEqual(
        [older, invited].map((one) => ({ ...shown(one), invitationExpiresAt: one.expiresAt })),
      )
      expect(user.createdAt).toBe(createdAt)
      expect(await store.listMembers(randomUUID())).toEqual([])
    })

    it('get another role, audited with the old one; the same role is not audited', async () => {
      const { id } = await addOrganization()
      const member = await addMember(id, { role: 'MEMBER' })
      const before: unknown[] = []
      const describe = (one: unknown) => {
        before.push(one)
        return anAudit('member.role-changed')
      }
      const role = 'READ_ONLY'
      for (let time = 0; time < 2; time += 1) {
        const answer = await store.changeRole(by(id), { id: member.id, role }, describe)
        expect(answer).toMatchObject({ id: member.id, email: member.email, role })
      }
      expect(before).toMatchObject([{ id: member.id, role: 'MEMBER' }])
      expect((await store.findMember(id, member.id))?.user.role).toBe(role)
      expect((await store.findUser(member.email))?.role).toBe(role)
      expect((await listActions(id)).filter((one) => one === 'member.role-changed')).toHaveLength(1)
    })

    it('are removed and audited, and their email can be used again', async () => {
      const { id } = await addOrganization()
      const member = await addMember(id)
      expect(await store.removeMember(by(id), { id: member.id }, removed)).toMatchObject({
        id: member.id,
      })
      expect(await store.findMember(id, member.id)).toBeUndefined()
      expect(await store.findUser(member.email)).toBeUndefined()
      expect(await store.removeMember(by(id), { id: member.id }, removed)).toBeUndefined()
      expect((await listActions(id))[0]).toBe('member.removed')
      const again = await addMember(id, { email: member.email })
      expect(again.id).not.toBe(member.id)
      expect(await store.findMember(id, member.id)).toBeUndefined()
    })

    it('cannot be changed or removed by another organization', async () => {
      const [owner, stranger] = [await addOrganization(), await addOrganization()]
      const member = await addMember(owner.id)
      const invited = await invite(owner.id)
      for (const { id } of [member, invited]) {
        const role = 'OWNER'
        expect(await store.changeRole(by(stranger.id), { id, role }, changed)).toBeUndefined()
        expect(await store.removeMember(by(stranger.id), { id: id }, removed)).toBeUndefined()
      }
      expect((await listRoles(owner.id)).sort()).toEqual(['MEMBER', 'MEMBER', 'OWNER'])
      expect(await listActions(stranger.id)).toEqual(['organization.created'])
    })

    it('always have an owner: the last one stays', async () => {
      const { id, user } = await addOrganization()
      await addMember(id, { role: 'MEMBER' })
      const invited = await invite(id, { role: 'OWNER' })
      const self = { id: user.id, role: 'MEMBER' } as const
      expect(await store.changeRole(by(id), self, changed)).toBe('last-owner')
      expect(await store.removeMember(by(id), { id: user.id }, removed)).toBe('last-owner')
      // An invited owner is no owner yet, and may be removed.
      expect(await store.removeMember(by(id), { id: invited.id }, removed)).toMatchObject({
        id: invited.id,
      })
      const second = await addMember(id, { role: 'OWNER' })
      expect(await store.changeRole(by(id), self, changed)).toMatchObject({ role: 'MEMBER' })
      expect(await store.removeMember(by(id), { id: second.id }, removed)).toBe('last-owner')
      expect((await listRoles(id)).filter((role) => role === 'OWNER')).toHaveLength(1)
    })

    it('one owner stays of two who demote or remove each other at once', async () => {
      const other = await opened().openAnother()
      for (let round = 0; round < 8; round += 1) {
        const { id, user } = await addOrganization()
        const second = await addMember(id, { role: 'OWNER' })
        const demote = (one: OrganizationStore, userId: string) =>
          round % 2
            ? one.changeRole(by(id), { id: userId, role: 'MEMBER' }, changed)
            : one.removeMember(by(id), { id: userId }, removed)
        const answers = await Promise.all([demote(store, user.id), demote(other, second.id)])
        expect(answers.filter((answer) => answer === 'last-owner')).toHaveLength(1)
        expect((await listRoles(id)).filter((role) => role === 'OWNER')).toHaveLength(1)
      }
    })
  })

  describe('a password', () => {
    it('is changed from the one that was seen, and counted', async () => {
      const { id, user, mentions } = await addOrganization()
      const change = (seen: User, passwordHash: string) => {
        const session = aSession({ ...seen, passwordVersion: seen.passwordVersion + 1 })
        const changed = { seen, passwordHash, session }
        return store.changePassword(by(seen.organizationId), changed, anAudit('password.changed'))
      }
      expect(await change(user, 'second')).toBe(true)
      const knownNetworks = ['192.0.2.1']
      const known = { knownNetworks, knownDevices: ['Browser'] }
      const second = { ...user, passwordHash: 'second', passwordVersion: 1, ...known }
      expect(await store.findMember(id, user.id)).toEqual({ user: second, mentions })
      expect(await change(user, 'from the first')).toBe(false)
      expect(await change({ ...second, organizationId: randomUUID() }, 'x')).toBe(false)
      expect(await change(second, 'third')).toBe(true)
      expect(await store.findUser(user.email)).toMatchObject({
        passwordHash: 'third',
        passwordVersion: 2,
      })
      expect((await listActions(id)).filter((one) => one === 'password.changed')).toHaveLength(2)
    })

    it('is changed once by concurrent requests', async () => {
      const [{ user }, other] = [await addOrganization(), await opened().openAnother()]
      const answers = await Promise.all(
        [store, other, store, other].map((one, index) =>
          one.changePassword(
            by(user.organizationId),
            { seen: user, passwordHash: `hash ${index}`, session: aSession(user) },
            anAudit('password.changed'),
          ),
        ),
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
    })
  })

  describe('invitations', () => {
    it('are found by the digest of their token only', async () => {
      const { id } = await addOrganization()
      const invitation = await invite(id)
      expect(await store.findInvitation(invitation.digest)).toEqual(invitation)
      expect(await store.findInvitation(randomBytes(32))).toBeUndefined()
      expect(await store.findInvitation(Buffer.alloc(0))).toBeUndefined()
    })

    it('a member’s email is not invited', async () => {
      const { id, user } = await addOrganization()
      const invitation = anInvitation(id, { email: user.email })
      const attempt = store.invite(by(id), { invitation, max: peopleMax }, anAudit('x'))
      expect(await attempt).toBe('email-taken')
      expect(await listActions(id)).toEqual(['organization.created'])
    })

    it('a renewed one ends the earlier token, and stays one in the list', async () => {
      const { id } = await addOrganization()
      const first = await invite(id, { email: 'b@example.com' })
      const later = { createdAt: '2027-01-01T00:00:00.000Z', expiresAt: '2027-01-08T00:00:00.000Z' }
      const again = await invite(id, { email: 'b@example.com', role: 'OWNER', ...later })
      expect(again).toMatchObject({
        id: first.id,
        role: 'OWNER',
        createdAt: first.createdAt,
        expiresAt: later.expiresAt,
      })
      expect(await store.findInvitation(first.digest)).toBeUndefined()
      expect(await store.findInvitation(again.digest)).toEqual(again)
      expect(await store.acceptInvitation(first.digest, joining)).toBeUndefined()
      expect(await listRoles(id)).toEqual(['OWNER', 'OWNER'])
    })

    it('stay within the limit; a renewed one does not count', async () => {
      const { id } = await addOrganization()
      const inviteByEmail = (email: string) =>
        store.invite(
          by(id),
          { invitation: anInvitation(id, { email }), max: 3 },
          anAudit('member.invited'),
        )
      expect(await inviteByEmail('b@example.com')).toMatchObject({ email: 'b@example.com' })
      expect(await inviteByEmail('c@example.com')).toMatchObject({ email: 'c@example.com' })
      expect(await inviteByEmail('d@example.com')).toBe('too-many')
      expect(await inviteByEmail('c@example.com')).toMatchObject({ email: 'c@example.com' })
      const [, oldest] = await store.listMembers(id)
      await store.removeMember(by(id), { id: oldest!.id }, removed)
      expect(await inviteByEmail('d@example.com')).toMatchObject({ email: 'd@example.com' })
    })

    it('stay within the limit when many are created at once', async () => {
      const [{ id }, other] = [await addOrganization(), await opened().openAnother()]
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 ? store : other).invite(
            by(id),
            { invitation: anInvitation(id), max: 4 },
            anAudit('x'),
          ),
        ),
      )
      expect(answers.filter((answer) => answer === 'too-many')).toHaveLength(5)
      expect(await store.listMembers(id)).toHaveLength(4)
    })

    it('become a user once, even when accepted concurrently', async () => {
      const [{ id }, other] = [await addOrganization(), await opened().openAnother()]
      const { digest, email } = await invite(id)
      const answers = await Promise.all(
        [store, other, store, other].map((one) => one.acceptInvitation(digest, joining)),
      )
      const [joined, ...more] = answers.filter((answer) => answer !== undefined)
      expect(more).toEqual([])
      expect(await store.findUser(email)).toEqual(joined)
      expect(await store.findInvitation(digest)).toBeUndefined()
      expect(await store.listMembers(id)).toHaveLength(2)
      expect((await listActions(id)).filter((one) => one === 'member.joined')).toHaveLength(1)
    })

    it('take the role they have when they are accepted', async () => {
      const { id } = await addOrganization()
      const invitation = await invite(id, { role: 'OWNER' })
      const read = { id: invitation.id, role: 'READ_ONLY' } as const
      const { createdAt, email, expiresAt } = invitation
      expect(await store.changeRole(by(id), read, changed)).toEqual({
        ...read,
        email,
        createdAt,
        invitationExpiresAt: expiresAt,
      })
      expect(await store.acceptInvitation(invitation.digest, joining)).toMatchObject({
        role: 'READ_ONLY',
      })
    })

    it('withdrawn ones, or those rejected on acceptance, create no member', async () => {
      const { id } = await addOrganization()
      const [withdrawn, refused] = [await invite(id), await invite(id)]
      await store.removeMember(by(id), { id: withdrawn.id }, removed)
      expect(await store.acceptInvitation(withdrawn.digest, joining)).toBeUndefined()
      const refusing = store.acceptInvitation(refused.digest, () => {
        throw new Error('too old')
      })
      await expect(refusing).rejects.toThrow('too old')
      expect(await store.findInvitation(refused.digest)).toEqual(refused)
      expect(await store.findUser(refused.email)).toBeUndefined()
    })

    it('whose email signed up in the meantime create no member, and stay', async () => {
      const { id } = await addOrganization()
      const invitation = await invite(id)
      await store.addOrganization(anOrganization(invitation.email), anAudit('organization.created'))
      expect(await store.acceptInvitation(invitation.digest, joining)).toBe('email-taken')
      expect(await store.findInvitation(invitation.digest)).toEqual(invitation)
      expect(await listActions(id)).toEqual(['member.invited', 'organization.created'])
    })
  })

  it('keeps its users when it is closed and opened again', async () => {
    const { id } = await addOrganization()
    const [member, invitation] = [await addMember(id, { role: 'READ_ONLY' }), await invite(id)]
    const before = await store.listMembers(id)
    store = await opened().reopen()
    expect(await store.listMembers(id)).toEqual(before)
    expect((await store.findMember(id, member.id))?.user).toEqual(member)
    expect(await store.findInvitation(invitation.digest)).toEqual(invitation)
  })
}
