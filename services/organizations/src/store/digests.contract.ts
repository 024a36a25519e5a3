import { randomBytes } from 'node:crypto'
import { mentionsNamed } from '../legal-mentions'
import {
  aKey,
  anAudit,
  anOrganization,
  at,
  type StoreUnderTest,
  by,
  findHolder,
  countUnrevoked,
  listKeys,
} from '../testdata/store-under-test'
import type { NewApiKey } from './api-key-records'
import type { NewOrganization, OrganizationStore } from './store'

export function digestsContract(underTest: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = underTest().store
  })

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

  describe('API keys whose pepper is renewed', () => {
    it('are found by any of several digests, and the result names it', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      const [other, another] = [randomBytes(32), randomBytes(32)]
      const { digest } = key
      for (const digests of [
        [digest, other],
        [other, digest],
        [other, another, digest],
      ]) {
        expect(await findHolder(store, digests)).toMatchObject({ digest, apiKeyId: key.id })
      }
      expect(await findHolder(store, [other, another])).toBeUndefined()
    })

    it('after a replacement, are found by the new digest only, otherwise unchanged', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      await store.recordUses(new Map([[key.id, at]]))
      const before = [await listKeys(store, id), await listActions(id)]
      const change = { from: key.digest, to: randomBytes(32), pepper: 'new' }
      expect(await store.replaceDigest(change)).toBe(true)
      expect(await findHolder(store, [key.digest])).toBeUndefined()
      expect(await findHolder(store, [change.to])).toMatchObject({ apiKeyId: key.id })
      expect([await listKeys(store, id), await listActions(id)]).toEqual(before)
      expect(await store.replaceDigest(change)).toBe(false)
      const mentions = mentionsNamed('Renommée')
      await store.replaceMentions(by(id), { mentions }, () => anAudit('mentions.updated'))
      expect(await findHolder(store, [change.to])).toMatchObject({ mentions })
      await store.revokeApiKey(by(id), key.id, anAudit('api-key.revoked'))
      expect(await findHolder(store, [change.to])).toBeUndefined()
    })

    it('stay revoked: no new digest replaces theirs', async () => {
      const { id } = await addOrganization()
      const key = await addKey(id)
      await store.revokeApiKey(by(id), key.id, anAudit('api-key.revoked'))
      const change = { from: key.digest, to: randomBytes(32), pepper: 'new' }
      expect(await store.replaceDigest(change)).toBe(false)
      expect(await findHolder(store, [change.from, change.to])).toBeUndefined()
    })

    it('are counted by their pepper while they live', async () => {
      const count = async (of: { now?: string; except?: string } = {}) => {
        const counted = await store.countLiveApiKeysByPepper({ now: at, except: '', ...of })
        return Object.fromEntries(counted.map(({ pepper = '', keys }) => [pepper, keys]))
      }
      expect(await count()).toEqual({})
      const { id } = await addOrganization()
      const [moved] = [await addKey(id), await addKey(id), await addKey(id, { pepper: 'new' })]
      const revoked = await addKey(id)
      await store.revokeApiKey(by(id), revoked.id, anAudit('api-key.revoked'))
      await store.replaceDigest({ from: moved.digest, to: randomBytes(32), pepper: 'new' })
      const [before, after] = ['2026-05-03T09:59:59.999Z', '2026-05-03T10:00:00.001Z']
      await addKey(id, { expiresAt: at })
      await addKey(id, { expiresAt: after, pepper: 'new' })
      expect(await count({ now: before })).toEqual({ none: 2, new: 3 })
      expect(await count()).toEqual({ none: 1, new: 3 })
      expect(await count({ now: after })).toEqual({ none: 1, new: 2 })
      expect(await count({ except: 'new' })).toEqual({ none: 1 })
    })
  })

  describe('API keys whose pepper is renewed by several processes', () => {
    let other: OrganizationStore
    beforeEach(async () => {
      other = await underTest().openAnother()
    })

    it('finds a key at every moment while its digest is replaced', async () => {
      const { id } = await addOrganization()
      for (let round = 0; round < 10; round += 1) {
        const { digest, id: apiKeyId } = await addKey(id)
        const to = randomBytes(32)
        let moved = false
        const moves = [store, other, store].map((one) =>
          one.replaceDigest({ from: digest, to, pepper: 'new' }),
        )
        const looking = [store, other].map(async (one) => {
          do {
            expect(await findHolder(one, [to, digest])).toMatchObject({ apiKeyId })
            await new Promise(setImmediate)
          } while (!moved)
        })
        expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1)
        moved = true
        await Promise.all(looking)
      }
    })

    it('refuses a key from the moment it is revoked, whatever its digest becomes meanwhile', async () => {
      const { id } = await addOrganization()
      for (let round = 0; round < 10; round += 1) {
        const key = await addKey(id)
        const [from, to] = [key.digest, randomBytes(32)]
        await Promise.all([
          other.replaceDigest({ from, to, pepper: 'new' }),
          store.revokeApiKey(by(id), key.id, anAudit('api-key.revoked')),
        ])
        for (const one of [store, other]) expect(await findHolder(one, [to, from])).toBeUndefined()
      }
      expect(await countUnrevoked(store, id)).toBe(0)
    })

    it('a key has the current legal details, even while its digest is replaced', async () => {
      const { id } = await addOrganization()
      for (let round = 0; round < 10; round += 1) {
        const [from, to] = [(await addKey(id)).digest, randomBytes(32)]
        const mentions = mentionsNamed(`round ${round}`)
        await Promise.all([
          store.replaceDigest({ from, to, pepper: 'new' }),
          other.replaceMentions(by(id), { mentions }, () => anAudit('mentions.updated')),
        ])
        expect(await findHolder(store, [to])).toMatchObject({ mentions })
      }
    })
  })
}
