import { limits } from '@einvoicing/domain/limits'
import type { OrganizationStore } from './store/store'

/** Emails of those who joined as OWNER, in the order of joining. */
export async function listOwners(
  store: Pick<OrganizationStore, 'listMembers'>,
  organizationId: string,
  max: number = limits.membersPerOrganization,
): Promise<string[]> {
  const members = await store.listMembers(organizationId)
  return members
    .filter(({ role, invitationExpiresAt }) => role === 'OWNER' && !invitationExpiresAt)
    .slice(0, max)
    .map(({ email }) => email)
}
