/** What every OrganizationStore must do with the people of an organization. */

import { randomUUID } from 'node:crypto'
import { mentionsNamed } from '../legal-mentions'
import { anAudit, anOrganization, type StoreUnderTest } from '../testdata/store-under-test'
import type { NewOrganization, OrganizationStore } from './store'

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

  describe('members', () => {
    it('are found by their id under their organization alone, with its mentions of now', async () => {
      const [{ id, user }, stranger] = [await addOrganization(), await addOrganization()]
      const mentions = mentionsNamed('Renommée')
      await store.replaceMentions(id, mentions, () => anAudit('mentions.updated'))
      expect(await store.findMember(id, user.id)).toEqual({ user, mentions })
      expect(await store.findMember(stranger.id, user.id)).toBeUndefined()
      expect(await store.findMember(id, randomUUID())).toBeUndefined()
      expect(await store.findMember(id, '')).toBeUndefined()
    })
  })
}
