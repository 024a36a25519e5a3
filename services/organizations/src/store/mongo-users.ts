/** The users of organizations in MongoDB. */

import type { Mongo } from '@einvoicing/kernel/mongo'
import { addAudit } from './mongo-audit'
import { collectionsOf, type UserDocument } from './mongo-collections'
import { inTransaction } from './mongo-transaction'
import type { OrganizationStore, User } from './store'

type Users = Pick<OrganizationStore, 'findUser' | 'findMember' | 'changePassword'>

export function users(mongo: Mongo): Users {
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
    changePassword: ({ id, organizationId, passwordVersion }, passwordHash, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { users } = collections
        const kept = await users.findOne({ id, organizationId }, { session })
        if (!kept || toUser(kept).passwordVersion !== passwordVersion) return false
        const changed = { passwordHash, passwordVersion: passwordVersion + 1 }
        await users.updateOne({ _id: kept._id }, { $set: changed }, { session })
        await addAudit(collections, { organizationId, entry, session })
        return true
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
