import { randomBytes, randomUUID } from 'node:crypto'
import {
  anAudit,
  anInvitation,
  anOrganization,
  aSession,
  by,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { EmailChange, Side } from './email-changes'
import type { OrganizationStore, User } from './store'

const later = '2026-05-04T10:00:00.000Z'
const audits = {
  confirmed: anAudit('email.change-confirmed'),
  changed: anAudit('email.changed'),
}

export function emailChangesContract(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = opened().store
  })
  const add = async (): Promise<User> => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization.user
  }
  const aChange = (user: User, fields: Partial<EmailChange> = {}): EmailChange => {
    const { id: userId, organizationId, email: from, passwordVersion } = user
    const of = { id: randomUUID(), userId, organizationId, from, passwordVersion }
    const to = `${randomUUID()}@example.com`
    return { ...of, to, confirmed: [], expiresAt: later, ...fields }
  }
  const request = (change: EmailChange) =>
    store.addEmailChange(by(change.organizationId), change, anAudit('email.change-requested'))
  const addLink = async ({ userId, id: changeId }: EmailChange, side: Side) => {
    const digest = randomBytes(32)
    const link = { digest, userId, changeId, side }
    expect(await store.addEmailChangeLink(link, anAudit('email.link-offered'))).toBe(true)
    return digest
  }
  const confirm = (digest: Buffer, one = store) => one.confirmEmailChange(digest, audits)
  const begin = async (fields: Partial<EmailChange> = {}) => {
    const user = await add()
    const change = aChange(user, fields)
    expect(await request(change)).toBe(true)
    const links = { old: await addLink(change, 'old'), new: await addLink(change, 'new') }
    return { user, change, links }
  }
  const listActions = async (organizationId: string) => {
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 100 })
    return entries.map(({ action }) => action)
  }

  describe('a change of email', () => {
    it.each([
      ['old', 'new'],
      ['new', 'old'],
    ] as const)(
      'is done when both addresses confirmed it, %s first, also in another process',
      async (first, second) => {
        const { user, change, links } = await begin()
        const other = await opened().openAnother()
        expect(await other.findEmailChangeLink(links[first])).toMatchObject({
          change,
          side: first,
          user: { id: user.id },
        })
        expect(await confirm(links[first])).toBe('confirmed')
        expect(await confirm(links[first])).toBeUndefined()
        expect((await other.findEmailChange(user.id))?.confirmed).toEqual([first])
        expect(await store.findUser(user.email)).toBeDefined()
        expect(await store.findUser(change.to)).toBeUndefined()
        expect(await confirm(links[second], other)).toBe('changed')
        expect(await store.findUser(user.email)).toBeUndefined()
        expect(await store.findUser(change.to)).toEqual({ ...user, email: change.to })
        expect(await store.findEmailChange(user.id)).toBeUndefined()
        expect(await confirm(links[second])).toBeUndefined()
        const actions = await listActions(user.organizationId)
        expect(actions.slice(0, 2)).toEqual(['email.changed', 'email.change-confirmed'])
      },
    )

    it('is done once when both links are opened at the same time', async () => {
      const other = await opened().openAnother()
      for (let round = 0; round < 5; round += 1) {
        const { change, links } = await begin()
        const outcomes = await Promise.all([confirm(links.old), confirm(links.new, other)])
        expect(outcomes.sort()).toEqual(['changed', 'confirmed'])
        expect(await store.findUser(change.to)).toBeDefined()
      }
    })

    it('only one of two users gets the same new address', async () => {
      const one = await begin()
      const two = await begin({ to: one.change.to })
      await confirm(one.links.old)
      await confirm(two.links.old)
      const other = await opened().openAnother()
      const outcomes = await Promise.all([confirm(one.links.new), confirm(two.links.new, other)])
      expect(outcomes.sort()).toEqual(['changed', 'email-taken'])
      const emails = [await store.findUserById(one.user.id), await store.findUserById(two.user.id)]
      expect(emails.filter((user) => user?.email === one.change.to)).toHaveLength(1)
    })

    it('changes nothing when the address got a user in the meantime', async () => {
      const { user, change, links } = await begin()
      await confirm(links.old)
      const holder = anOrganization(change.to)
      expect(await store.addOrganization(holder, anAudit('organization.created'))).toBe('added')
      expect(await confirm(links.new)).toBe('email-taken')
      expect(await store.findUser(user.email)).toMatchObject({ id: user.id })
      expect(await store.findUser(change.to)).toMatchObject({ id: holder.user.id })
    })

    it('keeps session, second factors and memberships, with an entry in each organization', async () => {
      const { user, change, links } = await begin()
      const session = aSession(user)
      await store.openSession(session, anAudit('user.signed-in'))
      await store.changeSecondFactors(by(user.organizationId), user.id, (before) => ({
        after: { ...before, used: {} },
        audits: [],
      }))
      const owner = await add()
      const invitation = anInvitation(owner.organizationId, { email: user.email })
      const invited = { invitation, max: 9 }
      await store.invite(by(owner.organizationId), invited, anAudit('member.invited'))
      await store.acceptInvitation(invitation.digest, ({ organizationId, role }) => {
        const joined = { ...user, organizationId, role, createdAt: later }
        const opening = aSession(joined)
        const audit = anAudit('member.joined')
        return { user: joined, session: opening, audit, existing: { max: 9 } }
      })
      await confirm(links.old)
      await confirm(links.new)
      expect((await store.findSession(session))?.user.email).toBe(change.to)
      expect(await store.listMemberships(user.id)).toHaveLength(2)
      for (const id of [user.organizationId, owner.organizationId]) {
        expect(await listActions(id)).toContain('email.changed')
        const found = (await store.listMembers(id)).find((one) => one.id === user.id)
        expect(found?.email).toBe(change.to)
      }
    })

    it('links mailed to the old address end', async () => {
      const { user, links } = await begin()
      const { id: userId, organizationId, passwordVersion } = user
      const reset = { digest: randomBytes(32), organizationId, userId, passwordVersion }
      const offered = anAudit('password.reset-offered')
      await store.addPasswordReset({ ...reset, expiresAt: later }, offered)
      await confirm(links.old)
      expect(await store.findPasswordReset(reset.digest)).toBeDefined()
      await confirm(links.new)
      expect(await store.findPasswordReset(reset.digest)).toBeUndefined()
    })

    it('ends with a new password, a newer change, expiry, and cancelling', async () => {
      const replaced = await begin()
      const newer = aChange(replaced.user)
      expect(await request(newer)).toBe(true)
      expect(await confirm(replaced.links.new)).toBeUndefined()
      const { id: changeId, userId } = replaced.change
      const late = { digest: randomBytes(32), userId, changeId, side: 'new' } as const
      expect(await store.addEmailChangeLink(late, anAudit('email.link-offered'))).toBe(false)
      expect(await store.findEmailChange(userId)).toEqual(newer)

      const expired = await begin({ expiresAt: anAudit('').at })
      expect(await confirm(expired.links.old)).toBeUndefined()

      const { user, links } = await begin()
      const session = aSession({ ...user, passwordVersion: 1 })
      const change = { seen: user, passwordHash: 'new', session }
      const writer = by(user.organizationId)
      expect(await store.changePassword(writer, change, anAudit('password.changed'))).toBe(true)
      expect(await store.findEmailChange(user.id)).toBeUndefined()
      expect(await store.findEmailChangeLink(links.new)).toBeUndefined()
      expect(await confirm(links.new)).toBeUndefined()
      expect(await request(aChange(user))).toBe(false)

      const cancelled = await begin()
      const cancel = () =>
        store.cancelEmailChange(
          by(cancelled.user.organizationId),
          cancelled.user.id,
          anAudit('email.change-cancelled'),
        )
      expect([await cancel(), await cancel()]).toEqual([true, false])
      expect(await confirm(cancelled.links.new)).toBeUndefined()
    })

    it('needs the session of its writer, confirmed a short time ago', async () => {
      const user = await add()
      const session = aSession(user)
      await store.openSession(session, anAudit('user.signed-in'))
      const change = aChange(user)
      const writer = (confirmedSince: string) => ({
        ...by(user.organizationId),
        session: {
          id: session.id,
          role: 'READ_ONLY',
          at: session.createdAt,
          confirmedSince,
        } as const,
      })
      const old = store.addEmailChange(writer(later), change, anAudit('email.change-requested'))
      await expect(old).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
      expect(await store.findEmailChange(user.id)).toBeUndefined()
      const recent = writer(session.confirmedAt)
      const requested = anAudit('email.change-requested')
      expect(await store.addEmailChange(recent, change, requested)).toBe(true)
    })

    it('takes effect at once when no mail is sent', async () => {
      const user = await add()
      const holder = await add()
      const change = (to: string, from = user.email) =>
        store.changeEmail(
          by(user.organizationId),
          { userId: user.id, from, to },
          anAudit('email.changed'),
        )
      expect(await change(holder.email)).toBe('email-taken')
      const to = `${randomUUID()}@example.com`
      expect(await change(to)).toBe('changed')
      expect(await change(`${randomUUID()}@example.com`)).toBe('gone')
      expect(await store.findUser(to)).toMatchObject({ id: user.id })
    })

    it('ends with its user', async () => {
      const owner = await add()
      const invitation = anInvitation(owner.organizationId)
      await store.invite(
        by(owner.organizationId),
        { invitation, max: 9 },
        anAudit('member.invited'),
      )
      const { user } = anOrganization(invitation.email)
      const member = { ...user, organizationId: owner.organizationId, role: 'MEMBER' } as const
      await store.acceptInvitation(invitation.digest, () => ({
        user: member,
        session: aSession(member),
        audit: anAudit('member.joined'),
      }))
      const change = aChange(member)
      expect(await request(change)).toBe(true)
      const link = await addLink(change, 'new')
      await store.removeMember(by(owner.organizationId), { id: member.id }, () =>
        anAudit('member.removed'),
      )
      expect(await store.findEmailChange(member.id)).toBeUndefined()
      expect(await confirm(link)).toBeUndefined()
    })
  })
}
