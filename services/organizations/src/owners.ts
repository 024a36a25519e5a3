import { limits } from '@einvoicing/domain/limits'
import type { ListedMember, OrganizationStore } from './store/store'

type Store = Pick<OrganizationStore, 'listMembers'>

/** Emails of those who joined as OWNER, in the order of joining. */
export async function listOwners(store: Store, organizationId: string): Promise<string[]> {
  return (await findOwners(store, organizationId)).map(({ email }) => email)
}

/** Those whose address is verified, the first to join: others may be strangers' addresses. */
export async function listOwnersToNotify(store: Store, organizationId: string): Promise<string[]> {
  const owners = await findOwners(store, organizationId)
  return owners
    .filter(({ isUnverified }) => !isUnverified)
    .slice(0, limits.noticeRecipients)
    .map(({ email }) => email)
}

async function findOwners(store: Store, organizationId: string): Promise<ListedMember[]> {
  const members = await store.listMembers(organizationId)
  return members.filter(({ role, invitationExpiresAt }) => role === 'OWNER' && !invitationExpiresAt)
}
