/** The email is the `_id`, which cannot change: the document is written again. */

import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import type { mongo } from 'mongoose'
import { addAudit } from './audit'
import { openCollections, type Collections, type EmailChangeDocument } from './collections'
import { toBytes } from './bytes'
import { checkWriterIn, writeUser } from './sessions'
import { inTransaction } from './transaction'
import { listMemberships, toUser } from './user-document'
import { isConfirmedByAll, isValidFor, type EmailChange, type EmailChanges } from '../email-changes'
import type { AuditRecord } from '../store'
import { unlessTaken } from '../unless-taken'

export function emailChanges(mongo: Mongo): EmailChanges {
  return {
    addEmailChange: (by, change, entry) =>
      inTransaction(mongo, async (collections, session) => {
        await checkWriterIn(collections, by, session)
        // A concurrent new password must conflict.
        const document = await writeUser(collections, { id: change.userId }, session)
        if (!document || !isValidFor(change, toUser(document))) return false
        const { userId: _id, expiresAt, ...content } = change
        const stored = { ...content, links: [], expiresAt: new Date(expiresAt) }
        await collections.emailChanges.replaceOne({ _id }, stored, { upsert: true, session })
        const { organizationId } = by
        await addAudit(collections, { organizationId, entry, session })
        return true
      }),
    findEmailChange: (userId) =>
      mongo.read(async (db) => (await find(openCollections(db), { _id: userId }))?.change),
    cancelEmailChange: (by, userId, entry) =>
      inTransaction(mongo, async (collections, session) => {
        await checkWriterIn(collections, by, session)
        const { emailChanges } = collections
        const { deletedCount } = await emailChanges.deleteOne({ _id: userId }, { session })
        const { organizationId } = by
        if (deletedCount > 0) await addAudit(collections, { organizationId, entry, session })
        return deletedCount > 0
      }),
    addEmailChangeLink: ({ digest, userId: _id, changeId: id, side }, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { emailChanges } = collections
        const added = { $push: { links: { digest, side } } }
        const change = await emailChanges.findOneAndUpdate({ _id, id }, added, { session })
        if (!change) return false
        const { organizationId } = change
        await addAudit(collections, { organizationId, entry, session })
        return true
      }),
    findEmailChangeLink: (digest) => mongo.read((db) => findLink(openCollections(db), digest)),
    confirmEmailChange: (digest, audits) =>
      unlessTaken(
        isDuplicateKey,
        inTransaction(mongo, (collections, session) =>
          confirm(collections, { digest, ...audits }, session),
        ),
      ),
    changeEmail: (by, change, entry) =>
      unlessTaken(
        isDuplicateKey,
        inTransaction(mongo, async (collections, session) => {
          await checkWriterIn(collections, by, session)
          const user = await collections.users.findOne({ id: change.userId }, { session })
          if (user?._id !== change.from) return 'gone'
          return write(collections, { ...change, entry }, session)
        }),
      ),
  }
}

async function confirm(
  collections: Collections,
  { digest, confirmed, changed }: { digest: Buffer; confirmed: AuditRecord; changed: AuditRecord },
  session: mongo.ClientSession,
): Promise<'confirmed' | 'changed' | 'email-taken' | undefined> {
  const known = await findLink(collections, digest)
  if (!known) return undefined
  await writeUser(collections, { id: known.change.userId }, session)
  const found = await findLink(collections, digest, session)
  if (!found || found.change.expiresAt <= confirmed.at) return undefined
  const { change, side } = found
  if (isConfirmedByAll(change, side)) {
    return write(collections, { ...change, entry: changed }, session)
  }
  const update = { $set: { confirmed: [side] }, $pull: { links: { side } } }
  await collections.emailChanges.updateOne({ _id: change.userId }, update, { session })
  const { organizationId } = change
  await addAudit(collections, { organizationId, entry: confirmed, session })
  return 'confirmed'
}

async function write(
  collections: Collections,
  { userId, to, entry }: { userId: string; to: string; entry: AuditRecord },
  session: mongo.ClientSession,
): Promise<'changed' | 'email-taken'> {
  const { users, passwordResets, emailLinks } = collections
  if (await users.findOne({ _id: to }, { session })) return 'email-taken'
  const document = await users.findOneAndDelete({ id: userId }, { session })
  if (!document) throw new Error('a user is gone within a transaction')
  const { unverifiedSince: _, writes = 0, ...user } = document
  await users.insertOne({ ...user, _id: to, writes: writes + 1 }, { session })
  await collections.emailChanges.deleteOne({ _id: userId }, { session })
  await passwordResets.deleteMany({ userId }, { session })
  await emailLinks.deleteMany({ userId }, { session })
  const { notices, ...bare } = entry
  const organizations = listMemberships(document).map(({ organizationId }) => organizationId)
  for (const [index, organizationId] of organizations.entries()) {
    const record = index === 0 ? { ...bare, notices } : bare
    await addAudit(collections, { organizationId, entry: record, session })
  }
  return 'changed'
}

async function findLink(collections: Collections, digest: Buffer, session?: mongo.ClientSession) {
  const found = await find(collections, { 'links.digest': digest }, session)
  const link = found?.document.links.find((one) => Buffer.from(toBytes(one.digest)).equals(digest))
  return found && link && { change: found.change, side: link.side, user: found.user }
}

async function find(
  { emailChanges, users }: Collections,
  which: mongo.Filter<EmailChangeDocument>,
  session?: mongo.ClientSession,
) {
  const within = session && { session }
  const document = await emailChanges.findOne(which, within)
  if (!document) return undefined
  const found = await users.findOne({ id: document._id }, within)
  const user = found && toUser(found)
  const change = toChange(document)
  return user && isValidFor(change, user) ? { document, change, user } : undefined
}

function toChange({ _id: userId, ...document }: EmailChangeDocument): EmailChange {
  const { id, organizationId, from, to, passwordVersion, confirmed } = document
  const expiresAt = document.expiresAt.toISOString()
  return { id, userId, organizationId, from, to, passwordVersion, confirmed, expiresAt }
}
