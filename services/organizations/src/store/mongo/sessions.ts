import type { Mongo } from '@einvoicing/stores/mongo'
import { limits } from '@einvoicing/domain/limits'
import type { mongo } from 'mongoose'
import { withClient } from '../../session'
import { addAudit } from './audit'
import {
  openCollections,
  newestSession,
  type Collections,
  type SessionDocument,
  type UserDocument,
} from './collections'
import type { PrimaryLease } from './lease'
import { inTransaction } from './transaction'
import { filterMembers, toMember } from './user-document'
import type { ConfirmedSession, OrganizationStore, Session, Writer } from '../store'
import { checkWriter, isOpen } from '../writer-check'

type Sessions = Pick<
  OrganizationStore,
  | 'openSession'
  | 'findSession'
  | 'endSession'
  | 'listSessions'
  | 'endSessions'
  | 'confirmSession'
  | 'recordSeen'
>

/** A concurrent change that ends the session or its user must conflict, so both are written. */
export async function checkWriterIn(
  collections: Collections,
  by: Writer,
  session: mongo.ClientSession,
): Promise<void> {
  if (!by.session) return
  const { sessions } = collections
  const ofWriter = { _id: by.session.id }
  // Not in the transaction. A session's user never changes.
  const known = await sessions.findOne(ofWriter, { projection: { userId: 1 } })
  const user = known && (await writeUser(collections, { id: known.userId }, session))
  const options = { session, returnDocument: 'after' } as const
  const document = user && (await sessions.findOneAndUpdate(ofWriter, oneWrite, options))
  const member = document && toMember(user, by.organizationId)
  checkWriter(by, member ? { session: toSession(document), user: member } : undefined)
}

const oneWrite = { $inc: { writes: 1 } }

/** First in a transaction: from then on, others that write this user conflict. Null: no user. */
export function writeUser(
  { users }: Collections,
  which: mongo.Filter<UserDocument>,
  session: mongo.ClientSession,
): Promise<UserDocument | null> {
  return users.findOneAndUpdate(which, oneWrite, { session, returnDocument: 'after' })
}

/** Before anything else: each commit of a stolen session repeats what comes before this. */
export async function writeMember(
  collections: Collections,
  { organizationId, userId }: { organizationId: string; userId: string },
  session: mongo.ClientSession,
): Promise<void> {
  await writeUser(collections, { id: userId, ...filterMembers(organizationId) }, session)
}

/** The transaction has written the session's user. */
export async function insertSession(
  { sessions }: Collections,
  { id, expiresAt, ...content }: Session,
  session: mongo.ClientSession,
): Promise<void> {
  const document = { _id: id, ...content, expiresAt: new Date(expiresAt) }
  await sessions.insertOne(document, { session })
  const { userId } = content
  const tooMany = sessions
    .find({ userId }, { session, projection: { _id: 1 } })
    .sort(newestSession)
    .skip(limits.sessionsPerUser)
  const ids = (await tooMany.toArray()).map(({ _id }) => _id)
  if (ids.length > 0) await sessions.deleteMany({ _id: { $in: ids } }, { session })
}

export function sessions(mongo: Mongo, lease: PrimaryLease): Sessions {
  return {
    openSession: (opened, entry) => openSession(mongo, opened, entry),
    findSession: (of) => findSession(mongo, lease, of),
    async endSession(organizationId, id, entry) {
      const ended = await inTransaction(mongo, async (collections, session) => {
        const { sessions } = collections
        const document = await sessions.findOneAndDelete({ _id: id, organizationId }, { session })
        if (document) await addAudit(collections, { organizationId, entry, session })
        return document !== null
      })
      if (ended) await lease.outlast()
      return ended
    },
    listSessions: ({ userId, now }) =>
      mongo.read(async (db) => {
        const { sessions } = openCollections(db)
        const open = { userId, expiresAt: { $gt: new Date(now) } }
        const found = await sessions.find(open).toArray()
        return found.map(toSession).sort(latestSeenFirst)
      }),
    async endSessions(by, { userId, id, except, everywhere = false }, entry) {
      const within = everywhere ? {} : { organizationId: by.organizationId }
      const count = await inTransaction(mongo, async (collections, session) => {
        await writeMember(collections, { organizationId: by.organizationId, userId }, session)
        await checkWriterIn(collections, by, session)
        const ids = { ...(id !== undefined && { $eq: id }), $ne: except ?? '' }
        const ended = { userId, ...within, _id: ids }
        const found = await collections.sessions.find(ended, { session }).toArray()
        const { deletedCount } = await collections.sessions.deleteMany(ended, { session })
        for (const organizationId of new Set(found.map((one) => one.organizationId))) {
          await addAudit(collections, { organizationId, entry, session })
        }
        return deletedCount
      })
      if (count > 0) await lease.outlast()
      return count
    },
    async confirmSession(by, confirmed, entry) {
      await inTransaction(mongo, async (collections, session) => {
        const { organizationId } = by
        await checkWriterIn(collections, by, session)
        await confirmSessionIn(collections, { by, confirmed, session })
        await addAudit(collections, { organizationId, entry, session })
      })
      if (isIdReplaced(by, confirmed)) await lease.outlast()
    },
    recordSeen: (lastSeenAtById) =>
      mongo.write(async (db) => {
        const updates = [...lastSeenAtById].map(([_id, lastSeenAt]) => ({
          updateOne: { filter: { _id }, update: { $max: { lastSeenAt } } },
        }))
        if (updates.length === 0) return
        await openCollections(db).sessions.bulkWrite(updates, { ordered: false })
      }),
  }
}

/** The token with the id before must be refused from then on (decision 0120). */
export function isIdReplaced(by: Writer, confirmed: ConfirmedSession | undefined): boolean {
  return confirmed !== undefined && confirmed.id !== by.session?.id
}

/** Within a transaction that checked the writer. */
export async function confirmSessionIn(
  { sessions }: Collections,
  {
    by,
    confirmed: { id, confirmedAt },
    session,
  }: { by: Writer; confirmed: ConfirmedSession; session: mongo.ClientSession },
): Promise<void> {
  const before = { _id: by.session?.id ?? '' }
  const change = { $set: { confirmedAt }, $max: { lastSeenAt: confirmedAt } }
  const options = { session, returnDocument: 'after' } as const
  const document = await sessions.findOneAndUpdate(before, change, options)
  if (!document || id === document._id) return
  await sessions.deleteOne(before, { session })
  await sessions.insertOne({ ...document, _id: id }, { session })
}

function findSession(
  mongo: Mongo,
  lease: PrimaryLease,
  { id, userId, organizationId }: Parameters<Sessions['findSession']>[0],
): ReturnType<Sessions['findSession']> {
  return mongo.read(async (db) => {
    await lease.hold(db)
    const { sessions, users, organizations } = openCollections(db)
    const [document, member, organization] = await Promise.all([
      sessions.findOne({ _id: id, organizationId, userId }),
      users.findOne({ id: userId }),
      organizations.findOne({ _id: organizationId }),
    ])
    if (!document || !member || !organization) return undefined
    const user = toMember(member, organizationId, organization.createdAt)
    if (!user) return undefined
    const { mentions, approval } = organization
    const found = { session: toSession(document), user, mentions, approval }
    if (!isOpen(found)) return undefined
    const isFactorMissing =
      organization.requiresSecondFactor === true && !(await isEnrolledIn(db, userId))
    return { ...found, isFactorMissing }
  })
}

async function isEnrolledIn(db: mongo.Db, userId: string): Promise<boolean> {
  const enrolled = { _id: userId, isEnrolled: true }
  return (await openCollections(db).secondFactors.findOne(enrolled)) !== null
}

/** False when the user is gone, or has another password than the session. */
export async function openSessionIn(
  collections: Collections,
  opened: Session,
  session: mongo.ClientSession,
): Promise<boolean> {
  const { userId: id, organizationId, passwordVersion } = opened
  const document = await writeUser(collections, { id }, session)
  const user = document && toMember(document, organizationId)
  if (user?.passwordVersion !== passwordVersion) return false
  const known = { ...withClient(user, opened), lastOrganizationId: organizationId }
  await collections.users.updateOne({ id }, { $set: known }, { session })
  await insertSession(collections, opened, session)
  return true
}

function openSession(mongo: Mongo, opened: Session, entry: Parameters<Sessions['openSession']>[1]) {
  const { organizationId } = opened
  return inTransaction(mongo, async (collections, session) => {
    if (!(await openSessionIn(collections, opened, session))) return false
    await addAudit(collections, { organizationId, entry, session })
    return true
  })
}

function latestSeenFirst(one: Session, other: Session): number {
  return one.lastSeenAt + one.id < other.lastSeenAt + other.id ? 1 : -1
}

function toSession({ _id: id, ...document }: SessionDocument): Session {
  const { organizationId, userId, passwordVersion, network, device } = document
  const { createdAt, lastSeenAt, expiresAt, confirmedAt = createdAt } = document
  const at = { createdAt, lastSeenAt, confirmedAt, expiresAt: expiresAt.toISOString() }
  return { id, organizationId, userId, passwordVersion, network, device, ...at }
}
