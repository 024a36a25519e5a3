import { auditPagesContract } from '@einvoicing/stores/testdata/audit-pages.contract'
import { anAudit, anOrganization, type StoreUnderTest } from '../testdata/store-under-test'
import type { OrganizationStore } from './store'

export function auditContract(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = opened().store
  })
  const addOrganization = async () => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization
  }

  describe('audit', () => {
    it('is a page at a time, newest first, for its organization alone', async () => {
      const [owner, stranger] = [await addOrganization(), await addOrganization()]
      for (const action of ['one', 'two', 'three']) await store.addAudit(owner.id, anAudit(action))
      await store.addAudit(stranger.id, anAudit('elsewhere'))
      const page = (index: number) => store.listAudit(owner.id, { page: index, size: 3 })
      const actions = async (index: number) => (await page(index)).entries.map((e) => e.action)
      expect(await actions(0)).toEqual(['three', 'two', 'one'])
      expect(await actions(1)).toEqual(['organization.created'])
      expect(await actions(2)).toEqual([])
      expect((await page(2)).total).toBe(4)
      expect((await page(0)).entries[0]).toMatchObject({ ...anAudit('three'), seq: 4 })
    })

    it('is counted unless the request says not to', async () => {
      const { id } = await addOrganization()
      for (const action of ['one', 'two']) await store.addAudit(id, anAudit(action))
      const wanted = { page: 1, size: 1, actor: 'user:' }
      const counted = await store.listAudit(id, wanted)
      expect(counted).toMatchObject({ entries: [{ action: 'one' }], total: 3 })
      expect(await store.listAudit(id, { ...wanted, uncounted: true })).toEqual({
        entries: counted.entries,
        total: 0,
      })
    })
  })

  auditPagesContract(async (entries) => {
    const { id } = await addOrganization()
    for (const { at, detail } of entries) await store.addAudit(id, { ...anAudit('a'), at, detail })
    return (request) => store.listAudit(id, request)
  })

  it('lists the audit by action, actor and moments', async () => {
    const owner = await addOrganization()
    const days = ['2030-03-01', '2030-03-02', '2030-03-03']
    const actions = ['api-key.created', 'api-key.revoked', 'member.invited']
    for (const [index, day] of days.entries()) {
      const at = `${day}T00:00:00.000Z`
      await store.addAudit(owner.id, { at, actor: `user:${index}`, action: actions[index] ?? '' })
    }
    const listed = async (filters: object) => {
      const page = await store.listAudit(owner.id, { page: 0, size: 10, ...filters })
      expect(page.total).toBe(page.entries.length)
      return page.entries.map(({ actor }) => actor.slice(5))
    }
    const atFrom = '2030-03-02T00:00:00.000Z'
    expect(await listed({ action: 'api-key.created' })).toEqual(['0'])
    expect(await listed({ action: 'api-key.' })).toEqual(['1', '0'])
    expect(await listed({ action: 'api-key' })).toEqual([])
    expect(await listed({ action: 'invoice.' })).toEqual([])
    expect(await listed({ actor: 'user:2' })).toEqual(['2'])
    expect((await listed({ actor: 'user:' })).length).toBeGreaterThan(1)
    expect(await listed({ actor: 'api-key:' })).toEqual([])
    expect(await listed({ invoiceId: owner.id })).toEqual([])
    expect(await listed({ atFrom })).toEqual(['2', '1'])
    expect(await listed({ atBefore: atFrom, action: 'api-key.' })).toEqual(['0'])
  })

  it('lists the audit by network and by part of the device', async () => {
    const owner = await addOrganization()
    const clients = [
      ['192.0.2.1', 'Mozilla/5.0 (X11; Linux) Firefox/150.0'],
      ['192.0.2.10', 'Mozilla/5.0 (Macintosh) Safari/605.1'],
    ] as const
    for (const [network, device] of clients) {
      await store.addAudit(owner.id, { ...anAudit('user.signed-in'), network, device })
    }
    const listed = async (filters: object) => {
      const page = await store.listAudit(owner.id, { page: 0, size: 10, ...filters })
      return page.entries.map(({ network }) => network)
    }
    expect(await listed({ network: '192.0.2.1' })).toEqual(['192.0.2.1'])
    expect(await listed({ network: '192.0.2' })).toEqual([])
    expect(await listed({ device: 'firefox/150.0' })).toEqual(['192.0.2.1'])
    expect(await listed({ device: '(mac' })).toEqual(['192.0.2.10'])
    expect(await listed({ device: 'Firefox.150' })).toEqual([])
    expect(await listed({ device: 'Mozilla', network: '192.0.2.10' })).toEqual(['192.0.2.10'])
  })
}
