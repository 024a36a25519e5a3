import { sessionOver } from '@einvoicing/domain/account-errors'
import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { withClient } from '../../session'
import { addAudit } from './audit'
import { openCollections, type Collections } from './collections'
import type { PrimaryLease } from './lease'
import { checkWriterIn, openSessionIn } from './sessions'
import { inTransaction } from './transaction'
import { listMemberships, toMember } from './user-document'
import type { Joining, Membership, OrganizationStore } from '../store'

type Memberships = Pick<OrganizationStore, 'listMemberships' | 'switchOrganization'>

export function memberships(mongo: Mongo, lease: PrimaryLease): Memberships {
  return {
    listMemberships: (userId) =>
      mongo.read(async (db) => {
        const { users, organizations } = openCollections(db)
        const document = await users.findOne({ id: userId })
        if (!document) return []
        const all = listMemberships(document)
        const ids = all.map(({ organizationId }) => organizationId)
        const found = await organizations.find({ _id: { $in: ids } }).toArray()
        const names = new Map(found.map(({ _id, mentions }) => [_id, mentions.name]))
        return all.map(({ organizationId, role }): Membership => ({
          organizationId,
          organizationName: names.get(organizationId) ?? '',
          role,
        }))
      }),
    async switchOrganization(by, opened, { left, entered }) {
      const isSwitched = await inTransaction(mongo, async (collections, session) => {
        await checkWriterIn(collections, by, session)
        const { users, sessions } = collections
        const document = await users.findOne({ id: opened.userId }, { session })
        if (!document || !toMember(document, opened.organizationId)) return false
        await sessions.deleteOne({ _id: by.session.id }, { session })
        if (!(await openSessionIn(collections, opened, session))) throw sessionOver()
        const { organizationId } = by
        await addAudit(collections, { organizationId, entry: left, session })
        const there = opened.organizationId
        await addAudit(collections, { organizationId: there, entry: entered, session })
        return true
      })
      if (isSwitched) await lease.outlast()
      return isSwitched
    },
  }
}

export async function joinIn(
  collections: Collections,
  { user, session: opened, existing }: Joining,
  session: mongo.ClientSession,
): Promise<'gone' | 'too-many' | 'email-taken' | undefined> {
  if (!existing) return undefined
  const { users, sessions } = collections
  if (existing.by) await checkWriterIn(collections, existing.by, session)
  const document = await users.findOne({ id: user.id }, { session })
  if ((document?.passwordVersion ?? 0) !== opened.passwordVersion || !document) return 'gone'
  const all = listMemberships(document)
  const { organizationId, role, createdAt } = user
  if (all.some((membership) => membership.organizationId === organizationId)) return 'email-taken'
  if (all.length >= existing.max) return 'too-many'
  const [, ...others] = [...all, { organizationId, role, createdAt }]
  const changed = { others, lastOrganizationId: organizationId, ...withClient(user, opened) }
  await users.updateOne({ id: user.id }, { $set: changed, $inc: { writes: 1 } }, { session })
  if (existing.by) await sessions.deleteOne({ _id: existing.by.session.id }, { session })
  return undefined
}

/** Ends their sessions; with the last membership, deletes the account. */
export async function endMembership(
  { users, sessions, secondFactors, passwordResets, emailLinks, emailChanges }: Collections,
  {
    organizationId,
    userId,
    session,
  }: { organizationId: string; userId: string; session: mongo.ClientSession },
): Promise<void> {
  const document = await users.findOne({ id: userId }, { session })
  if (!document) return
  await sessions.deleteMany({ userId, organizationId }, { session })
  const [next, ...others] = listMemberships(document).filter(
    (membership) => membership.organizationId !== organizationId,
  )
  if (next) {
    const changed = { ...next, others, lastOrganizationId: next.organizationId }
    const used = document.lastOrganizationId ?? document.organizationId
    if (used !== organizationId) changed.lastOrganizationId = used
    await users.updateOne({ id: userId }, { $set: changed, $inc: { writes: 1 } }, { session })
    return
  }
  await users.deleteOne({ id: userId }, { session })
  await secondFactors.deleteOne({ _id: userId }, { session })
  await passwordResets.deleteMany({ userId }, { session })
  await emailLinks.deleteMany({ userId }, { session })
  await emailChanges.deleteOne({ _id: userId }, { session })
}
