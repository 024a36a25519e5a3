/**
 * A user's first organization is in the document's own fields, where earlier versions have it; only
 * others are listed beside it.
 */

import type { MembershipDocument, UserDocument } from './collections'
import type { User } from '../store'

export function toDocument({ email, unverifiedSince, ...user }: User): UserDocument {
  return { _id: email, ...user, ...(unverifiedSince !== undefined && { unverifiedSince }) }
}

/** In the organization used last. */
export function toUser(document: UserDocument, organizationCreatedAt = ''): User {
  const { organizationId, lastOrganizationId = organizationId } = document
  return (
    toMember(document, lastOrganizationId, organizationCreatedAt) ??
    toUserIn(document, firstMembership(document, organizationCreatedAt))
  )
}

/** `undefined` for an organization that the user is not a member of. */
export function toMember(
  document: UserDocument,
  organizationId: string,
  organizationCreatedAt = '',
): User | undefined {
  const found = listMemberships(document, organizationCreatedAt).find(
    (membership) => membership.organizationId === organizationId,
  )
  return found && toUserIn(document, found)
}

/** The first one first. */
export function listMemberships(
  document: UserDocument,
  organizationCreatedAt = '',
): [MembershipDocument, ...MembershipDocument[]] {
  return [firstMembership(document, organizationCreatedAt), ...(document.others ?? [])]
}

/** Users of an organization. */
export function filterMembers(organizationId: string) {
  return { $or: [{ organizationId }, { 'others.organizationId': organizationId }] }
}

/** A user stored without a role created the organization, and owns it. */
function firstMembership(
  { organizationId, role = 'OWNER', createdAt }: UserDocument,
  organizationCreatedAt: string,
): MembershipDocument {
  return { organizationId, role, createdAt: createdAt ?? organizationCreatedAt }
}

function toUserIn(document: UserDocument, membership: MembershipDocument): User {
  const { _id: email, id, passwordHash, passwordVersion = 0 } = document
  const { knownNetworks = [], knownDevices = [] } = document
  const { organizationId, role, createdAt } = membership
  const who = { id, organizationId, email, passwordHash, passwordVersion, role, createdAt }
  const { unverifiedSince } = document
  const unverified = unverifiedSince !== undefined && { unverifiedSince }
  return { ...who, knownNetworks, knownDevices, ...unverified }
}
