import type { LegalMentions } from '@einvoicing/proto/invoice'
import {
  aKey,
  anAudit,
  anOrganization,
  aSession,
  by,
  findHolder,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { NewOrganization, OrganizationStore } from './store'

const ice = '001525714000070'

export function approvalsContract(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = opened().store
  })
  const add = async (fields: Partial<NewOrganization> & { ice?: string | undefined } = {}) => {
    const organization = { ...anOrganization(), ...fields }
    const mentions = { ...organization.mentions, ice: fields.ice ?? ice }
    const added = { ...organization, mentions }
    await store.addOrganization(added, anAudit('organization.created'))
    return added
  }
  const decide = (id: string, approval: 'APPROVED' | 'SUSPENDED', one = store) =>
    one.decideApproval(by(id), approval, () => anAudit(`organization.${approval}`))
  const replace = (id: string, mentions: LegalMentions, isIceChecked = true) =>
    store.replaceMentions(by(id), { mentions, isIceChecked }, () => anAudit('mentions.updated'))
  const findApproval = async (id: string) => (await store.findOrganization(id))?.approval

  describe('the approval of an organization', () => {
    it('is found with its keys, old and new, and with its sessions', async () => {
      const { id, user } = await add({ approval: 'PENDING' })
      const keys = [aKey(id), aKey(id)] as const
      const session = aSession(user)
      await store.openSession(session, anAudit('user.signed-in'))
      await store.addApiKey(by(id), { key: keys[0], max: 9 }, anAudit('api-key.created'))
      const other = await opened().openAnother()
      const found = async () => [
        (await findHolder(other, [keys[0].digest]))?.approval,
        (await other.findSession(session))?.approval,
        await findApproval(id),
      ]
      expect(await found()).toEqual(['PENDING', 'PENDING', 'PENDING'])
      for (const approval of ['APPROVED', 'SUSPENDED', 'APPROVED'] as const) {
        expect(await decide(id, approval)).toBe('decided')
        expect(await found()).toEqual([approval, approval, approval])
      }
      await store.addApiKey(by(id), { key: keys[1], max: 9 }, anAudit('api-key.created'))
      expect((await findHolder(other, [keys[1].digest]))?.approval).toBe('APPROVED')
    })

    it('is absent when no approval is required', async () => {
      const { id } = await add()
      expect(await findApproval(id)).toBeUndefined()
      expect(await store.findOrganization('unknown')).toBeUndefined()
      expect(await decide('unknown', 'APPROVED')).toBe('unknown')
    })

    it('is stored with its audit entry, or not at all', async () => {
      const { id } = await add({ approval: 'PENDING' })
      const failing = store.decideApproval(by(id), 'APPROVED', () => {
        throw new Error('not now')
      })
      await expect(failing).rejects.toThrow('not now')
      expect(await findApproval(id)).toBe('PENDING')
      await decide(id, 'APPROVED')
      const { entries } = await store.listAudit(id, { page: 0, size: 9 })
      expect(entries.map(({ action }) => action)).toEqual([
        'organization.APPROVED',
        'organization.created',
      ])
    })

    it('only one organization with an ICE gets it, even concurrently', async () => {
      const rivals = await Promise.all([1, 2, 3].map(() => add({ approval: 'PENDING' })))
      const other = await opened().openAnother()
      const decisions = await Promise.all(
        rivals.map(({ id }, index) => decide(id, 'APPROVED', index % 2 ? other : store)),
      )
      const winner = rivals[decisions.indexOf('decided')]
      expect(decisions.filter((one) => one === 'decided')).toHaveLength(1)
      const taken = { taken: winner?.id }
      expect(decisions.filter((one) => typeof one === 'object')).toEqual([taken, taken])
      for (const { id } of rivals.filter((one) => one !== winner)) {
        expect(await findApproval(id)).toBe('PENDING')
      }
      await decide(winner?.id ?? '', 'SUSPENDED')
      const [next] = rivals.filter((one) => one !== winner)
      expect(await decide(next?.id ?? '', 'APPROVED')).toBe('decided')
      expect(await decide(winner?.id ?? '', 'APPROVED')).toEqual({ taken: next?.id })
    })

    it('is not given for the ICE of one that counts as approved', async () => {
      const old = await add()
      const { id } = await add({ approval: 'PENDING' })
      expect(await decide(id, 'APPROVED')).toEqual({ taken: old.id })
    })

    it('others cannot change to its ICE', async () => {
      const { id } = await add({ approval: 'PENDING' })
      await decide(id, 'APPROVED')
      const old = await add({ ice: '' })
      const mentions = { ...old.mentions, ice }
      expect(await replace(old.id, mentions)).toBe('ice-taken')
      expect((await store.findMentions(old.id))?.ice).toBe('')
      expect(await replace(old.id, mentions, false)).toBe(true)
    })

    it('moves to another ICE with the organization that holds it', async () => {
      const one = await add({ approval: 'PENDING' })
      const other = await add({ approval: 'PENDING', ice: '002791346000039' })
      for (const { id } of [one, other]) await decide(id, 'APPROVED')
      expect(await replace(one.id, other.mentions)).toBe('ice-taken')
      const free = { ...one.mentions, ice: '001523467000017' }
      expect(await replace(one.id, free)).toBe(true)
      expect(await replace(other.id, one.mentions)).toBe(true)
    })

    it('leaves an organization listed by its former ICEs, after those that have them', async () => {
      const [first, second, third] = ['001523467000017', '002791346000039', '001525714000088']
      const one = await add({ ice: '' })
      for (const next of [first, second, third, second]) {
        expect(await replace(one.id, { ...one.mentions, ice: next })).toBe(true)
      }
      const added = [
        await add({ ice: first }),
        await add({ ice: first }),
        await add({ ice: first }),
      ]
      const others = added.map(({ id }) => id).toSorted()
      const list = (listed: string, count = 9) => store.listByIce(listed, count)
      expect(await list(first)).toEqual([...others, one.id])
      expect(await list(first, 3)).toEqual(others)
      expect(await list(second)).toEqual([one.id])
      expect(await list(third)).toEqual([one.id])
      expect(await list('')).toEqual([])
    })

    it('lists those that may have issued first, whatever others claim their ICE', async () => {
      const [listed, former] = ['001523467000017', '002791346000039']
      const addMany = (count: number, approval?: 'PENDING') =>
        Promise.all(Array.from({ length: count }, () => add({ ice: listed, approval })))
      const waiting = await addMany(25, 'PENDING')
      const counted = await addMany(3)
      const suspended = await add({ ice: listed, approval: 'PENDING' })
      await decide(suspended.id, 'SUSPENDED')
      const moved = await add({ ice: listed, approval: 'PENDING' })
      await replace(moved.id, { ...moved.mentions, ice: former })
      await decide(moved.id, 'APPROVED')
      const list = (count: number) => store.listByIce(listed, count)
      const ids = counted.map(({ id }) => id).toSorted()
      expect(await list(9)).toEqual([moved.id, ...ids, suspended.id])
      expect(await list(2)).toEqual([moved.id, ids[0]])
      for (const { id } of counted) await decide(id, 'SUSPENDED')
      expect(await decide(waiting.at(-1)?.id ?? '', 'APPROVED')).toBe('decided')
      expect(await list(1)).toEqual([waiting.at(-1)?.id])
    })

    it('is listed in pages, by kind', async () => {
      const added = [await add(), await add({ approval: 'PENDING' }), await add()]
      await decide(added[2]?.id ?? '', 'SUSPENDED')
      const list = async (approval?: 'APPROVED' | 'PENDING' | 'SUSPENDED') => {
        const found = await store.listOrganizations({ approval, after: '', count: 1_000 })
        return added.map(({ id }) => found.some((one) => one.id === id))
      }
      expect(await list()).toEqual([true, true, true])
      expect(await list('APPROVED')).toEqual([true, false, false])
      expect(await list('PENDING')).toEqual([false, true, false])
      expect(await list('SUSPENDED')).toEqual([false, false, true])
      const [first] = await store.listOrganizations({ after: '', count: 1 })
      const [second] = await store.listOrganizations({ after: first?.id ?? '', count: 1 })
      expect((first?.id ?? '') < (second?.id ?? '')).toBe(true)
    })
  })
}
