import type { Mongo } from '@einvoicing/stores/mongo'
import { addAudit } from './audit'
import { openCollections, type Collections } from './collections'
import type { PrimaryLease } from './lease'
import { everyoneAlone } from './members'
import { findAlone } from './organizations'
import { inTransaction } from './transaction'
import { toUser } from './user-document'
import { isUntouched } from '../untouched'
import type { AuditRecord, OrganizationStore } from '../store'
import type { mongo } from 'mongoose'

type Unverified = Pick<OrganizationStore, 'findUnverified' | 'expireUnverified'>
type Expired = Parameters<Unverified['expireUnverified']>[0]

export function unverified(mongo: Mongo, lease: PrimaryLease): Unverified {
  return {
    findUnverified: ({ before, skip, count }) =>
      mongo.read(async (db) => {
        const { users } = openCollections(db)
        const old = { unverifiedSince: { $lte: before } }
        const found = await users
          .find(old)
          .sort({ unverifiedSince: 1, id: 1 })
          .skip(skip)
          .limit(count)
          .toArray()
        return found.map((document) => toUser(document))
      }),
    async expireUnverified(of, entry) {
      const outcome = await inTransaction(mongo, (collections, session) =>
        expire(collections, { ...of, entry }, session),
      )
      if (outcome === 'removed') await lease.outlast()
      return outcome
    },
  }
}

async function expire(
  collections: Collections,
  { userId: id, before, entry }: Expired & { entry: AuditRecord },
  session: mongo.ClientSession,
): Promise<'removed' | 'kept' | 'gone'> {
  const { users, organizations, apiKeys } = collections
  const isOld = { id, unverifiedSince: { $lte: before } }
  const user = await users.findOneAndUpdate(isOld, { $inc: { writes: 1 } }, { session })
  if (!user) return 'gone'
  const { organizationId, others = [] } = user
  if (others.length > 0) return 'kept'
  const people = await everyoneAlone(collections, organizationId, session)
  const organization = await findAlone(collections, organizationId, session)
  const key = await apiKeys.findOne({ organizationId }, { session })
  const isAlone = people.length === 1
  const isEmpty = key === null && organization !== undefined && isUntouched(organization)
  const hasOtherOwner = people.some(
    (one) => one.id !== id && one.role === 'OWNER' && one.invitationExpiresAt === undefined,
  )
  const leavesOwner = toUser(user).role !== 'OWNER' || hasOtherOwner
  if (isAlone ? !isEmpty : !leavesOwner) return 'kept'
  await users.deleteOne({ _id: user._id }, { session })
  await collections.sessions.deleteMany({ userId: id }, { session })
  await collections.secondFactors.deleteOne({ _id: id }, { session })
  await collections.emailLinks.deleteMany({ userId: id }, { session })
  if (isAlone) {
    const closed = { $set: { closedAt: entry.at } }
    await organizations.updateOne({ _id: organizationId }, closed, { session })
  }
  await addAudit(collections, { organizationId, entry, session })
  return 'removed'
}
