import { randomUUID } from 'node:crypto'
import type { ApiKey } from '@einvoicing/proto/organizations'
import {
  aKey,
  anAudit,
  anOrganization,
  at,
  by,
  findHolder,
  type StoreUnderTest,
  countUnrevoked,
  listKeys,
} from '../testdata/store-under-test'
import { digestsContract } from './digests.contract'
import type { ExpiringApiKey, NewApiKey } from './api-key-records'
import type { OrganizationStore } from './store'

export function apiKeysContract(opened: () => StoreUnderTest): void {
  digestsContract(opened)
  describe('limits of API keys', () => describeKeyLimits(opened))
}

const later = '2026-05-10T10:00:00.000Z'
const limited = {
  scopes: ['invoices:read'],
  allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'],
  expiresAt: later,
}

function describeKeyLimits(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  let organizationId: string
  beforeEach(async () => {
    store = opened().store
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    organizationId = organization.id
  })

  const add = async (fields: Partial<NewApiKey> = {}, max = 9) => {
    const key = aKey(organizationId, fields)
    await store.addApiKey(by(organizationId), { key, max }, anAudit('api-key.created'))
    return key
  }
  const find = async (id: string) =>
    (await listKeys(store, organizationId)).find((key) => key.id === id)
  const rotate = (
    id: string,
    made: NewApiKey,
    { until = later, max = 9, now = at, of = organizationId } = {},
  ) =>
    store.rotateApiKey(by(of), { id, now, until, max }, (old: ApiKey) => ({
      key: { ...made, name: old.name },
      audit: anAudit('api-key.rotated'),
    }))

  it('are stored and found with the key; a key without any has none', async () => {
    const [key, free] = [await add(limited), await add()]
    expect(await findHolder(store, [key.digest])).toMatchObject(limited)
    expect(await find(key.id)).toMatchObject(limited)
    const none = { scopes: [], allowedNetworks: [], expiresAt: undefined }
    expect(await findHolder(store, [free.digest])).toMatchObject(none)
    expect(await find(free.id)).toMatchObject(none)
  })

  it('include the network of the last use, never of an older one', async () => {
    const { id } = await add()
    const use = (moment: string, network?: string) =>
      store.recordUses(new Map([[id, moment]]), new Map(network ? [[id, network]] : []))
    await use('2026-05-02T00:00:00.000Z', '192.0.2.2')
    await use('2026-05-01T00:00:00.000Z', '192.0.2.1')
    expect(await find(id)).toMatchObject({
      lastUsedAt: '2026-05-02T00:00:00.000Z',
      lastUsedNetwork: '192.0.2.2',
    })
    await use('2026-05-03T00:00:00.000Z')
    expect(await find(id)).toMatchObject({
      lastUsedAt: '2026-05-03T00:00:00.000Z',
      lastUsedNetwork: '192.0.2.2',
    })
  })

  it('let a rotated key work until it expires, beside its successor', async () => {
    const [old, made] = [await add({ name: 'ERP' }), aKey(organizationId)]
    expect(await rotate(old.id, made)).toMatchObject({ id: old.id, name: 'ERP' })
    expect(await find(made.id)).toMatchObject({ name: 'ERP', expiresAt: undefined })
    expect(await findHolder(store, [old.digest])).toMatchObject({ expiresAt: later })
    expect(await findHolder(store, [made.digest])).toMatchObject({ apiKeyId: made.id })
    await rotate(made.id, aKey(organizationId), { until: '2026-05-04T10:00:00.000Z' })
    await rotate(old.id, aKey(organizationId), { until: '2026-06-01T10:00:00.000Z' })
    expect((await find(old.id))?.expiresAt).toBe(later)
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 9 })
    expect(entries.filter(({ action }) => action === 'api-key.rotated')).toHaveLength(3)
  })

  it('are passed on by a rotated key as they were before its first rotation', async () => {
    const seen: ApiKey[] = []
    const rotateAndSee = (id: string, until: string) =>
      store.rotateApiKey(by(organizationId), { id, now: at, until, max: 9 }, (old) => {
        seen.push(old)
        return { key: aKey(organizationId), audit: anAudit('api-key.rotated') }
      })
    const [lasting, ending] = [await add(), await add({ expiresAt: later })]
    for (const { id } of [lasting, ending]) {
      await rotateAndSee(id, '2026-05-05T10:00:00.000Z')
      store = await opened().reopen()
      await rotateAndSee(id, '2026-05-04T10:00:00.000Z')
      expect((await find(id))?.expiresAt).toBe('2026-05-04T10:00:00.000Z')
    }
    expect(seen.map(({ expiresAt }) => expiresAt)).toEqual([undefined, undefined, later, later])
  })

  it('rotate no key that is unknown, a stranger’s, revoked, expired, or one too many', async () => {
    const [key, over, revoked] = [await add(), await add({ expiresAt: at }), await add()]
    await store.revokeApiKey(by(organizationId), revoked.id, anAudit('api-key.revoked'))
    const stranger = anOrganization()
    await store.addOrganization(stranger, anAudit('organization.created'))
    expect(await rotate(randomUUID(), aKey(organizationId))).toBeUndefined()
    for (const { id } of [over, revoked]) {
      expect(await rotate(id, aKey(organizationId))).toBe('ended')
    }
    expect(await rotate(key.id, aKey(stranger.id), { of: stranger.id })).toBeUndefined()
    expect(await rotate(key.id, aKey(organizationId), { max: 1 })).toBe('too-many')
    expect(await countUnrevoked(store, organizationId)).toBe(2)
    expect((await find(key.id))?.expiresAt).toBeUndefined()
  })

  it('make space for another key from the moment that one expires', async () => {
    const addAt = (createdAt: string) => {
      const key = aKey(organizationId, { createdAt })
      return store.addApiKey(by(organizationId), { key, max: 2 }, anAudit('api-key.created'))
    }
    const [lasting] = [await add(), await add({ expiresAt: later })]
    const before = '2026-05-10T09:59:59.999Z'
    expect(await addAt(before)).toBe('too-many')
    const rotateAt = (now: string) => rotate(lasting.id, aKey(organizationId), { max: 2, now })
    expect(await rotateAt(before)).toBe('too-many')
    expect(await rotateAt(later)).toMatchObject({ id: lasting.id })
    // The rotated key ends at `later` too.
    expect(await addAt(later)).toBe('added')
    expect(await addAt(later)).toBe('too-many')
  })

  it('are announced once for each number of days, unless revoked', async () => {
    const soon = await add({ ...limited, name: 'soon' })
    await add({ expiresAt: at })
    await add()
    await rotate((await add()).id, aKey(organizationId))
    const expiring = async (days: number, now = at) => {
      const until = '2026-05-17T10:00:00.000Z'
      const keys = await store.findExpiringApiKeys({ now, until, days })
      return keys.filter((key) => key.organizationId === organizationId)
    }
    const { id, name, last4 } = soon
    expect(await expiring(14)).toEqual([{ id, organizationId, name, last4, expiresAt: later }])
    expect(await expiring(14, later)).toEqual([])
    const mailId = randomUUID()
    const about = { name }
    const to = 'a@example.com'
    const mail = {
      id: mailId,
      kind: 'api-key-expires',
      to,
      network: '',
      createdAt: at,
      about,
    } as const
    expect(await store.announceExpiry(id, 14, [mail])).toBe(true)
    expect(await store.announceExpiry(id, 14, [{ ...mail, id: randomUUID() }])).toBe(false)
    expect(await expiring(14)).toEqual([])
    expect((await expiring(2)).map((key) => key.name)).toContain('soon')
    const due = await store.takeMails({ now: at, leaseUntil: later, count: 100 })
    expect(due.filter((one) => one.to === to)).toMatchObject([{ id: mailId, about }])
    await store.finishMail(mailId)
    await store.revokeApiKey(by(organizationId), id, anAudit('api-key.revoked'))
    expect(await store.announceExpiry(id, 2, [])).toBe(false)
  })

  it('that expire are found page by page, also many of one moment, each once', async () => {
    const until = '2026-05-17T10:00:00.000Z'
    const made = Array.from({ length: 130 }, (_, n) => (n < 120 ? later : until))
    const ids: string[] = []
    for (const expiresAt of made) ids.push((await add({ expiresAt }, made.length)).id)
    const found: string[] = []
    let after: ExpiringApiKey | undefined
    do {
      const page = await store.findExpiringApiKeys({ now: at, until, days: 14, after })
      expect(page.length).toBeLessThan(120)
      found.push(...page.map(({ id }) => id))
      after = page.at(-1)
      // An announced key is still where the next search begins.
      if (after) await store.announceExpiry(after.id, 14, [])
    } while (after && found.length <= made.length)
    expect(found).toHaveLength(made.length)
    expect(new Set(found)).toEqual(new Set(ids))
  })
}
