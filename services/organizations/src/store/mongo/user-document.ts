/** Fields of the first membership are those of earlier versions; the others are a list. */

import type { MembershipDocument, UserDocument } from './collections'
import type { User } from '../store'

export function toDocument({ email, unverifiedSince, ...user }: User): UserDocument {
  return { _id: email, ...user, ...(unverifiedSince !== undefined && { unverifiedSince }) }
}

export function toUser(document: UserDocument, organizationCreatedAt = ''): User {
  const { organizationId, lastOrganizationId = organizationId } = document
  return (
    toMember(document, lastOrganizationId, organizationCreatedAt) ??
    toUserIn(document, firstMembership(document, organizationCreatedAt))
  )
}

/** `undefined` when the user is not a member. */
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

export function listMemberships(
  document: UserDocument,
  organizationCreatedAt = '',
): [MembershipDocument, ...MembershipDocument[]] {
  return [firstMembership(document, organizationCreatedAt), ...(document.others ?? [])]
}

export function filterMembers(organizationId: string) {
  return { $or: [{ organizationId }, { 'others.organizationId': organizationId }] }
}

/** Stored without a role by an earlier version: the owner. */
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
