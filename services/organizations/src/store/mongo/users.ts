import type { Mongo } from '@einvoicing/stores/mongo'
import { addAudit } from './audit'
import { withClient } from '../../session'
import { openCollections } from './collections'
import type { PrimaryLease } from './lease'
import { checkWriterIn, insertSession } from './sessions'
import { inTransaction } from './transaction'
import { toMember, toUser } from './user-document'
import type { OrganizationStore } from '../store'

type Users = Pick<OrganizationStore, 'findUser' | 'findUserById' | 'findMember' | 'changePassword'>

export function users(mongo: Mongo, lease: PrimaryLease): Users {
  return {
    // One query for known and unknown emails: the time must not reveal it.
    findUser: (email) =>
      mongo.read(async (db) => {
        const user = await openCollections(db).users.findOne({ _id: email })
        return user ? toUser(user) : undefined
      }),
    findUserById: (id) =>
      mongo.read(async (db) => {
        const user = await openCollections(db).users.findOne({ id })
        return user ? toUser(user) : undefined
      }),
    findMember: (organizationId, id) =>
      mongo.read(async (db) => {
        const { users, organizations } = openCollections(db)
        const [user, organization] = await Promise.all([
          users.findOne({ id }),
          organizations.findOne({ _id: organizationId }),
        ])
        if (!user || !organization) return undefined
        const { mentions, createdAt } = organization
        const member = toMember(user, organizationId, createdAt)
        return member && { user: member, mentions }
      }),
    async changePassword(by, { seen, passwordHash, session: opened }, entry) {
      const { organizationId } = by
      const { id, passwordVersion } = seen
      const isChanged = await inTransaction(mongo, async (collections, session) => {
        const { users, sessions } = collections
        await checkWriterIn(collections, by, session)
        const document = await users.findOne({ id }, { session })
        const user = document && toMember(document, organizationId)
        if (user?.passwordVersion !== passwordVersion) return false
        const known = withClient(user, opened)
        const changed = { passwordHash, passwordVersion: passwordVersion + 1, ...known }
        await users.updateOne({ id }, { $set: changed }, { session })
        await sessions.deleteMany({ userId: id }, { session })
        await insertSession(collections, opened, session)
        await addAudit(collections, { organizationId, entry, session })
        return true
      })
      if (isChanged) await lease.outlast()
      return isChanged
    },
  }
}
