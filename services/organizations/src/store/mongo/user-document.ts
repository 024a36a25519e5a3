import type { UserDocument } from './collections'
import type { User } from '../store'

export function toDocument({ email, unverifiedSince, ...user }: User): UserDocument {
  return { _id: email, ...user, ...(unverifiedSince !== undefined && { unverifiedSince }) }
}

/** A user stored without a role created the organization, and owns it. */
export function toUser(document: UserDocument, organizationCreatedAt = ''): User {
  const { _id: email, id, organizationId, passwordHash } = document
  const { passwordVersion = 0, role = 'OWNER', createdAt = organizationCreatedAt } = document
  const who = { id, organizationId, email, passwordHash, passwordVersion, role, createdAt }
  const { knownNetworks = [], knownDevices = [] } = document
  const { unverifiedSince } = document
  const unverified = unverifiedSince !== undefined && { unverifiedSince }
  return { ...who, knownNetworks, knownDevices, ...unverified }
}
