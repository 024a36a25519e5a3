import { randomBytes } from 'node:crypto'
import {
  aKey,
  anAudit,
  anInvitation,
  anOrganization,
  aSession,
  aUser,
  by,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { EmailLink } from './links'
import type { OrganizationStore, User } from './store'

const since = '2026-05-03T09:00:00.000Z'
const later = '2026-05-04T10:00:00.000Z'

export function emailLinksContract(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = opened().store
  })
  const add = async (fields: Partial<User> = { unverifiedSince: since }) => {
    const organization = anOrganization()
    const user = { ...organization.user, ...fields }
    await store.addOrganization({ ...organization, user }, anAudit('organization.created'))
    return user
  }
  const addLink = async (user: User, fields: Partial<EmailLink> = {}) => {
    const { id: userId, organizationId, email } = user
    const of = { organizationId, userId, email, expiresAt: later }
    const link = { digest: randomBytes(32), ...of, ...fields }
    await store.addEmailLink(link, anAudit('email.link-offered'))
    return link
  }
  const verify = ({ digest }: EmailLink, one = store) =>
    one.verifyEmail(digest, anAudit('email.verified'))

  describe('an email that is not verified', () => {
    it('can be read until a link verified it', async () => {
      const user = await add()
      const session = aSession(user)
      await store.openSession(session, anAudit('user.signed-in'))
      const other = await opened().openAnother()
      const seen = async () => [
        (await other.findUser(user.email))?.unverifiedSince,
        (await other.findUserById(user.id))?.unverifiedSince,
        (await other.findSession(session))?.user.unverifiedSince,
      ]
      expect(await seen()).toEqual([since, since, since])
      const link = await addLink(user)
      expect(await other.findEmailLink(link.digest)).toMatchObject({ link, user: { id: user.id } })
      expect(await verify(link)).toBe(true)
      expect(await seen()).toEqual([undefined, undefined, undefined])
      const { entries } = await store.listAudit(user.organizationId, { page: 0, size: 1 })
      expect(entries[0]?.action).toBe('email.verified')
    })

    it('is verified once, which ends all its links', async () => {
      const user = await add()
      const links = [await addLink(user), await addLink(user)] as const
      const other = await opened().openAnother()
      const outcomes = await Promise.all([verify(links[0]), verify(links[1], other)])
      expect(outcomes.sort()).toEqual([false, true])
      for (const { digest } of links) expect(await store.findEmailLink(digest)).toBeUndefined()
    })

    it.each([
      ['of an address that the user no longer has', { email: 'other@example.com' }],
      ['that is over', { expiresAt: anAudit('').at }],
    ])('is not verified by a link %s', async (_, fields) => {
      const user = await add()
      expect(await verify(await addLink(user, fields))).toBe(false)
      expect((await store.findUser(user.email))?.unverifiedSince).toBe(since)
    })

    it('is not verified by an unknown link, nor one of a verified user', async () => {
      expect(await store.verifyEmail(randomBytes(32), anAudit('email.verified'))).toBe(false)
      const link = await addLink(await add({}))
      expect(await store.findEmailLink(link.digest)).toBeUndefined()
      expect(await verify(link)).toBe(false)
    })

    it('is verified by a new password', async () => {
      const user = await add()
      const { id: userId, organizationId, passwordVersion } = user
      const reset = { digest: randomBytes(32), organizationId, userId, passwordVersion }
      await store.addPasswordReset(
        { ...reset, expiresAt: later },
        anAudit('password.reset-offered'),
      )
      await store.usePasswordReset(reset.digest, { passwordHash: 'new' }, anAudit('password.reset'))
      expect((await store.findUser(user.email))?.unverifiedSince).toBeUndefined()
    })
  })
  describe('a user who stays unverified', () => {
    const expire = ({ id: userId }: User, before = since, one = store) =>
      one.expireUnverified({ userId, before }, anAudit('account.expired'))
    const join = async (organizationId: string, fields: Partial<User>) => {
      const invitation = anInvitation(organizationId)
      const { email } = invitation
      const user = aUser(organizationId, { email, unverifiedSince: since, ...fields })
      const invited = { invitation, max: 9 }
      await store.invite(by(organizationId), invited, anAudit('member.invited'))
      const joined = { user, session: aSession(user), audit: anAudit('member.joined') }
      await store.acceptInvitation(invitation.digest, () => joined)
      return user
    }

    it('is found from that time on, in pages, until verified', async () => {
      const users = [await add(), await add(), await add({})]
      const ids = users.slice(0, 2).map(({ id }) => id)
      const find = async (before: string) => {
        const found = await store.findUnverified({ before, skip: 0, count: 1_000 })
        return found.map(({ id }) => id).filter((id) => users.some((user) => user.id === id))
      }
      expect(await find('2026-05-03T08:59:59.999Z')).toEqual([])
      expect((await find(since)).toSorted()).toEqual(ids.toSorted())
      const page = (skip: number) => store.findUnverified({ before: since, skip, count: 1 })
      const pages = [...(await page(0)), ...(await page(1))]
      expect(new Set(pages.map(({ id }) => id)).size).toBe(2)
    })

    it('is removed together with its empty organization; the audit log stays', async () => {
      const user = await add()
      const session = aSession(user)
      await store.openSession(session, anAudit('user.signed-in'))
      const link = await addLink(user)
      const list = async () => {
        const found = await store.listOrganizations({ after: '', count: 10_000 })
        return found.some(({ id }) => id === user.organizationId)
      }
      expect(await list()).toBe(true)
      expect(await expire(user)).toBe('removed')
      expect(await expire(user)).toBe('gone')
      const { email, organizationId } = user
      expect(await store.findUser(email)).toBeUndefined()
      expect(await store.findSession(session)).toBeUndefined()
      expect(await store.findEmailLink(link.digest)).toBeUndefined()
      expect(await list()).toBe(false)
      const { entries } = await store.listAudit(organizationId, { page: 0, size: 9 })
      expect(entries.map(({ action }) => action)).toContain('account.expired')
      const again = anOrganization(email)
      expect(await store.addOrganization(again, anAudit('organization.created'))).toBe('added')
    })

    it('is not removed when it was verified, or is not old enough', async () => {
      const user = await add()
      expect(await expire(user, '2026-05-03T08:59:59.999Z')).toBe('gone')
      await verify(await addLink(user))
      expect(await expire(user)).toBe('gone')
      expect(await store.findUser(user.email)).toBeDefined()
    })

    it('is either verified or removed when both happen at the same time', async () => {
      const other = await opened().openAnother()
      for (let round = 0; round < 5; round += 1) {
        const user = await add()
        const link = await addLink(user)
        const [isVerified, outcome] = await Promise.all([verify(link), expire(user, since, other)])
        expect(outcome).toBe(isVerified ? 'gone' : 'removed')
        expect((await store.findUser(user.email)) !== undefined).toBe(isVerified)
      }
    })

    it('leaves an organization that has other members', async () => {
      const owner = await add({})
      const user = await join(owner.organizationId, {})
      expect(await expire(user)).toBe('removed')
      expect((await store.listMembers(owner.organizationId)).map(({ id }) => id)).toEqual([
        owner.id,
      ])
    })

    it.each([
      [
        'an API key',
        ({ organizationId: id }: User) =>
          store.addApiKey(by(id), { key: aKey(id), max: 9 }, anAudit('api-key.created')),
      ],
      [
        'an invitation',
        ({ organizationId: id }: User) =>
          store.invite(by(id), { invitation: anInvitation(id), max: 9 }, anAudit('member.invited')),
      ],
      ['another member and no other owner', ({ organizationId: id }: User) => join(id, {})],
      [
        'an ICE',
        async ({ organizationId: id }: User) => {
          const mentions = await store.findMentions(id)
          if (!mentions) throw new Error('no mentions')
          const change = { mentions: { ...mentions, ice: '001525714000070' } }
          await store.replaceMentions(by(id), change, () => anAudit('mentions.updated'))
        },
      ],
      [
        'an approval',
        ({ organizationId: id }: User) =>
          store.decideApproval(by(id), 'APPROVED', () => anAudit('organization.approved')),
      ],
    ])('is kept with an organization that has %s', async (_, give) => {
      const user = await add()
      await give(user)
      expect(await expire(user)).toBe('kept')
      expect(await store.findUser(user.email)).toMatchObject({ unverifiedSince: since })
    })
  })
}
