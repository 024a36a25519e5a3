/** `open` can also reopen a store on the same data. */

import { randomBytes, randomUUID } from 'node:crypto'
import { mentionsNamed } from '../legal-mentions'
import {
  aKey,
  anAudit,
  anOrganization,
  at,
  by,
  findHolder,
  listKeys,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import { approvalsContract } from './approvals.contract'
import { attemptsContract } from './attempts.contract'
import { auditContract } from './audit.contract'
import { emailChangesContract } from './email-changes.contract'
import { emailLinksContract } from './email-links.contract'
import { endedWritersContract } from './ended-writers.contract'
import { mailOutageContract } from '../mail/outage.contract'
import { mailsContract } from './mails.contract'
import { apiKeysContract } from './key-limits.contract'
import { membersContract } from './members.contract'
import { membershipsContract } from './memberships.contract'
import { secondFactorsContract } from './second-factors.contract'
import { sessionsContract } from './sessions.contract'
import type { NewApiKey } from './api-key-records'
import type { NewOrganization, OrganizationStore } from './store'

export function organizationStoreContract(open: () => Promise<StoreUnderTest>): void {
  let underTest: StoreUnderTest
  let store: OrganizationStore

  beforeEach(async () => {
    underTest = await open()
    store = underTest.store
  })
  afterEach(() => underTest.remove())

  const addOrganization = async (): Promise<NewOrganization> => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization
  }
  const addKey = async (organizationId: string, fields: Partial<NewApiKey> = {}) => {
    const key = aKey(organizationId, fields)
    await store.addApiKey(
      by(key.organizationId),
      { key: key, max: 1_000 },
      anAudit('api-key.created'),
    )
    return key
  }
  const listActions = async (organizationId: string) => {
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 100 })
    return entries.map(({ action }) => action)
  }

  describe('organizations', () => {
    it('are found again with their user, and are none before', async () => {
      expect(await store.hasOrganizations()).toBe(false)
      const organization = await addOrganization()
      expect(await store.hasOrganizations()).toBe(true)
      expect(await store.findMentions(organization.id)).toEqual(organization.mentions)
      const { ice } = organization.mentions
      expect(await store.listByIce(ice, 1_000)).toContain(organization.id)
      expect(await store.listByIce(ice, 1)).toHaveLength(1)
      expect(await store.listByIce(`${ice}0`, 1_000)).toEqual([])
      expect(await store.findUser(organization.user.email)).toEqual(organization.user)
    })

    it('are unknown by another id or email', async () => {
      await addOrganization()
      expect(await store.findMentions(randomUUID())).toBeUndefined()
      expect(await store.findUser('unknown@example.com')).toBeUndefined()
    })

    it('store nothing when their email is used', async () => {
      const first = await addOrganization()
      const second = anOrganization(first.user.email)
      expect(await store.addOrganization(second, anAudit('organization.created'))).toBe(
        'email-taken',
      )
      expect(await store.findMentions(second.id)).toBeUndefined()
      expect(await listActions(second.id)).toEqual([])
      expect(await store.findUser(first.user.email)).toEqual(first.user)
    })

    it('only one of many concurrent sign-ups gets an email', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () =>
          store.addOrganization(anOrganization('same@example.com'), anAudit('x')),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1)
    })

    it('have their mentions replaced and audited together', async () => {
      const { id, mentions: before } = await addOrganization()
      const mentions = { ...mentionsNamed('Autre'), city: 'Fès' }
      const described: unknown[] = []
      const replaced = await store.replaceMentions(by(id), { mentions }, (old) => {
        described.push(old)
        return anAudit('mentions.updated')
      })
      expect(replaced).toBe(true)
      expect(described).toEqual([before])
      expect(await store.findMentions(id)).toEqual(mentions)
      expect(await listActions(id)).toEqual(['mentions.updated', 'organization.created'])
    })

    it('keep their mentions when the audit entry cannot be made', async () => {
      const { id, mentions } = await addOrganization()
      const replacing = store.replaceMentions(by(id), { mentions: mentionsNamed('Autre') }, () => {
        throw new Error('no entry')
      })
      await expect(replacing).rejects.toThrow('no entry')
      expect(await store.findMentions(id)).toEqual(mentions)
    })

    it('have their mentions replaced one at a time, each audited by what it replaced', async () => {
      const { id, mentions } = await addOrganization()
      const names = ['one', 'two', 'three', 'four', 'five']
      const replaced = new Map<string, string>()
      const replace = (name: string) =>
        store.replaceMentions(by(id), { mentions: mentionsNamed(name) }, (before) => {
          replaced.set(name, before.name)
          return anAudit('mentions.updated')
        })
      expect(await Promise.all(names.map(replace))).toEqual(names.map(() => true))
      const last = (await store.findMentions(id))?.name ?? ''
      expect([...replaced.values(), last].sort()).toEqual([mentions.name, ...names].sort())
      expect(await listActions(id)).toHaveLength(names.length + 1)
    })

    it('an organization is not created by replacing legal details', async () => {
      const stranger = randomUUID()
      expect(
        await store.replaceMentions(by(stranger), { mentions: mentionsNamed('x') }, () =>
          anAudit('x'),
        ),
      ).toBe(false)
      expect(await store.findMentions(stranger)).toBeUndefined()
      expect(await listActions(stranger)).toEqual([])
    })
  })

  describe('API keys', () => {
    it('return their organization and its current legal details', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      const mentions = { ...mentionsNamed('Renommée'), city: 'Rabat' }
      await store.replaceMentions(by(id), { mentions }, () => anAudit('mentions.updated'))
      expect(await findHolder(store, [key.digest])).toMatchObject({
        digest: key.digest,
        apiKeyId: key.id,
        organizationId: id,
        mentions,
      })
    })

    it('several are found at once, in order; unknown and revoked ones are not', async () => {
      const [{ id }, { id: otherId }] = [await addOrganization(), await addOrganization()]
      const [key, other, revoked] = [await addKey(id), await addKey(otherId), await addKey(id)]
      await store.revokeApiKey(by(id), revoked.id, anAudit('api-key.revoked'))
      const found = await store.findHolders([
        [other.digest, randomBytes(32)],
        [randomBytes(32)],
        [revoked.digest],
        [randomBytes(32), key.digest],
        [other.digest],
      ])
      expect(found.map((holder) => holder?.apiKeyId)).toEqual([
        other.id,
        undefined,
        undefined,
        key.id,
        other.id,
      ])
      expect(found[0]).toMatchObject({ organizationId: otherId, digest: other.digest })
    })

    it('are unknown by another digest, whatever its length', async () => {
      const { digest } = await addKey((await addOrganization()).id)
      const others = [randomBytes(32), digest.subarray(0, 31), Buffer.alloc(0)]
      for (const other of others) expect(await findHolder(store, [other])).toBeUndefined()
    })

    it('revoked keys are rejected at once, audited, and others still work', async () => {
      const { id } = await addOrganization()
      const [key, other] = [await addKey(id), await addKey(id)]
      const revoked = await store.revokeApiKey(by(id), key.id, anAudit('api-key.revoked'))
      expect(revoked).toMatchObject({ id: key.id, revokedAt: at })
      expect(await findHolder(store, [key.digest])).toBeUndefined()
      expect(await findHolder(store, [other.digest])).toMatchObject({ apiKeyId: other.id })
      expect((await listActions(id))[0]).toBe('api-key.revoked')
    })

    it('are revoked once: a second time answers the same and is not audited', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      const first = await store.revokeApiKey(by(id), key.id, anAudit('api-key.revoked'))
      const later = { ...anAudit('api-key.revoked'), at: '2027-01-01T00:00:00.000Z' }
      expect(await store.revokeApiKey(by(id), key.id, later)).toEqual(first)
      expect((await listActions(id)).filter((action) => action === 'api-key.revoked')).toHaveLength(
        1,
      )
    })

    it('cannot be revoked by another organization', async () => {
      const [owner, stranger] = [await addOrganization(), await addOrganization()]
      const key = await addKey(owner.id)
      const attempt = store.revokeApiKey(by(stranger.id), key.id, anAudit('api-key.revoked'))
      expect(await attempt).toBeUndefined()
      expect(await findHolder(store, [key.digest])).toMatchObject({ apiKeyId: key.id })
      expect(await listActions(stranger.id)).toEqual(['organization.created'])
    })

    it.each(['', 'nonsense', "' OR 1=1 --", '\u0000', 'x'.repeat(100)])(
      'are not found by the id %j',
      async (apiKeyId) => {
        const { id } = await addOrganization()
        expect(await store.revokeApiKey(by(id), apiKeyId, anAudit('x'))).toBeUndefined()
      },
    )

    it('are listed for their organization alone, newest first, revoked ones included', async () => {
      const [owner, stranger] = [await addOrganization(), await addOrganization()]
      const old = await addKey(owner.id, { createdAt: '2026-01-01T00:00:00.000Z', name: 'old' })
      const young = await addKey(owner.id, { createdAt: '2026-02-01T00:00:00.000Z' })
      await store.revokeApiKey(by(owner.id), young.id, anAudit('api-key.revoked'))
      const { id, last4, createdAt } = old
      const keys = await listKeys(store, owner.id)
      expect(keys.map((key) => key.id)).toEqual([young.id, old.id])
      expect(keys[0]?.revokedAt).toBe(at)
      const none = { scopes: [], allowedNetworks: [] }
      expect(keys[1]).toEqual({ id, name: 'old', last4, createdAt, ...none })
      expect(await listKeys(store, stranger.id)).toEqual([])
    })

    it('live ones are listed before others when there are too many', async () => {
      const { id } = await addOrganization()
      const live = await addKey(id, { createdAt: '2026-01-01T00:00:00.000Z' })
      for (const month of ['02', '03', '04']) {
        const key = await addKey(id, { createdAt: `2026-${month}-01T00:00:00.000Z` })
        await store.revokeApiKey(by(id), key.id, anAudit('api-key.revoked'))
      }
      const [now, later] = [at, '2026-05-03T10:00:00.001Z']
      await addKey(id, { createdAt: '2026-05-01T00:00:00.000Z', expiresAt: later })
      const list = async (of: { now: string; max: number }) =>
        (await store.listApiKeys(id, of)).map(({ createdAt }) => createdAt.slice(0, 7))
      expect(await list({ now, max: 2 })).toEqual(['2026-05', '2026-01'])
      expect(await list({ now: later, max: 1 })).toEqual(['2026-01'])
      expect(await list({ now: later, max: 2 })).toHaveLength(2)
      expect(await list({ now: later, max: 2 })).toContain('2026-01')
      const months = ['2026-05', '2026-04', '2026-03', '2026-02', '2026-01']
      expect(await list({ now: later, max: 9 })).toEqual(months)
      expect((await store.listApiKeys(id, { now: later, max: 1 }))[0]?.id).toBe(live.id)
    })

    it('remember their last use', async () => {
      const { id } = await addOrganization()
      const [used, unused] = [await addKey(id), await addKey(id)]
      await store.recordUses(new Map([[used.id, '2026-06-01T00:00:00.000Z']]))
      const keys = await listKeys(store, id)
      const lastUse = (apiKeyId: string) => keys.find((key) => key.id === apiKeyId)?.lastUsedAt
      expect(lastUse(used.id)).toBe('2026-06-01T00:00:00.000Z')
      expect(lastUse(unused.id)).toBeUndefined()
    })

    it('have the latest use recorded, in any order', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      for (const month of ['07', '06']) {
        await store.recordUses(new Map([[key.id, `2026-${month}-01T00:00:00.000Z`]]))
      }
      await store.recordUses(new Map([['unknown', at]]))
      await store.recordUses(new Map())
      expect((await listKeys(store, id))[0]?.lastUsedAt).toBe('2026-07-01T00:00:00.000Z')
    })
  })

  describe('its state', () => {
    it('is the first value of each name', async () => {
      expect(await store.remembered('a')).toBeUndefined()
      expect(await store.rememberFirst('a', '1')).toBe('1')
      expect(await store.remembered('a')).toBe('1')
      expect(await store.rememberFirst('a', '2')).toBe('1')
      expect(await store.rememberFirst('b', '2')).toBe('2')
    })
  })

  describe('shared by several processes', () => {
    let other: OrganizationStore
    beforeEach(async () => {
      other = await underTest.openAnother()
    })

    it('refuses a key in each from the moment one revoked it', async () => {
      const { id } = await addOrganization()
      for (let round = 0; round < 10; round += 1) {
        const key = await addKey(id)
        expect(await findHolder(other, [key.digest])).toMatchObject({ apiKeyId: key.id })
        await other.revokeApiKey(by(id), key.id, anAudit('api-key.revoked'))
        expect(await findHolder(store, [key.digest])).toBeUndefined()
      }
    })

    it('stores one of many first values and one of many equal emails', async () => {
      const each = Array.from(
        { length: 8 },
        (_, index) => [index % 2 ? store : other, index] as const,
      )
      const remembered = each.map(([one, index]) => one.rememberFirst('a', String(index)))
      expect(new Set(await Promise.all(remembered)).size).toBe(1)
      const added = each.map(([one]) => one.addOrganization(anOrganization('a@b.ma'), anAudit('x')))
      expect((await Promise.all(added)).filter((outcome) => outcome === 'added')).toHaveLength(1)
    })

    it('a new key has the current legal details, whatever is written at the same time', async () => {
      const { id } = await addOrganization()
      for (let round = 0; round < 10; round += 1) {
        const keys = [aKey(id), aKey(id)]
        const mentions = mentionsNamed(`round ${round}`)
        await Promise.all([
          ...keys.map((key) =>
            store.addApiKey(
              by(key.organizationId),
              { key: key, max: 1_000 },
              anAudit('api-key.created'),
            ),
          ),
          other.replaceMentions(by(id), { mentions }, () => anAudit('mentions.updated')),
        ])
        for (const { digest } of keys) {
          expect(await findHolder(store, [digest])).toMatchObject({ mentions })
        }
      }
    })

    it('revokes a key once, however many ask', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      const pending = [store, other, store, other].map((one) =>
        one.revokeApiKey(by(id), key.id, anAudit('api-key.revoked')),
      )
      expect(new Set((await Promise.all(pending)).map((revoked) => revoked?.revokedAt))).toEqual(
        new Set([at]),
      )
      const revocations = (await listActions(id)).filter((action) => action === 'api-key.revoked')
      expect(revocations).toHaveLength(1)
    })
  })

  const people = [membersContract, membershipsContract, secondFactorsContract]
  const sessions = [sessionsContract, endedWritersContract]
  const mailed = [mailsContract, mailOutageContract, emailLinksContract, emailChangesContract]
  const others = [attemptsContract, auditContract, approvalsContract]
  const all = [apiKeysContract, ...people, ...sessions, ...mailed, ...others]
  for (const contract of all) contract(() => underTest)

  it('keeps everything when it is closed and opened again', async () => {
    const { id, mentions, user } = await addOrganization()
    const [live, revoked] = [await addKey(id), await addKey(id)]
    await store.revokeApiKey(by(id), revoked.id, anAudit('api-key.revoked'))
    await store.recordUses(new Map([[live.id, at]]))
    await store.rememberFirst('a', '1')
    const before = [await listKeys(store, id), await listActions(id)]

    store = await underTest.reopen()
    expect(await store.findUser(user.email)).toEqual(user)
    expect(await findHolder(store, [live.digest])).toMatchObject({ organizationId: id, mentions })
    expect(await findHolder(store, [revoked.digest])).toBeUndefined()
    expect(await store.rememberFirst('a', '2')).toBe('1')
    expect([await listKeys(store, id), await listActions(id)]).toEqual(before)
    await store.check()
  })
}
