/** The users of organizations in MongoDB. */

import type { Mongo } from '@einvoicing/kernel/mongo'
import { collectionsOf, type UserDocument } from './mongo-collections'
import type { OrganizationStore, User } from './store'

export function users(mongo: Mongo): Pick<OrganizationStore, 'findUser' | 'findMember'> {
  return {
    findUser: (email) =>
      mongo.read(async (db) => {
        const { users, organizations } = collectionsOf(db)
        const user = await users.findOne({ _id: email })
        if (!user) return undefined
        const organization = await organizations.findOne({ _id: user.organizationId })
        return toUser(user, organization?.createdAt)
      }),
    findMember: (organizationId, id) =>
      mongo.read(async (db) => {
        const { users, organizations } = collectionsOf(db)
        const [user, organization] = await Promise.all([
          users.findOne({ id, organizationId }),
          organizations.findOne({ _id: organizationId }),
        ])
        if (!user || !organization) return undefined
        const { mentions, createdAt } = organization
        return { user: toUser(user, createdAt), mentions }
      }),
  }
}

export function toDocument({ email, ...user }: User): UserDocument {
  return { _id: email, ...user }
}

/** One kept by a version that knew no roles was made with the organization, and owns it. */
export function toUser(kept: UserDocument, organizationCreatedAt = ''): User {
  const { _id: email, id, organizationId, passwordHash } = kept
  const { passwordVersion = 0, role = 'OWNER', createdAt = organizationCreatedAt } = kept
  return { id, organizationId, email, passwordHash, passwordVersion, role, createdAt }
}
