import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { addAudit } from './audit'
import { openCollections, type Collections } from './collections'
import type { PrimaryLease } from './lease'
import { writeUser } from './sessions'
import { inTransaction } from './transaction'
import { toUser } from './user-document'
import type { OrganizationStore } from '../store'

type PasswordResets = Pick<
  OrganizationStore,
  'addPasswordReset' | 'findPasswordReset' | 'usePasswordReset'
>

export function passwordResets(mongo: Mongo, lease: PrimaryLease): PasswordResets {
  return {
    addPasswordReset: ({ digest, expiresAt, ...content }, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { organizationId } = content
        const document = { _id: digest, ...content, expiresAt: new Date(expiresAt) }
        await collections.passwordResets.insertOne(document, { session })
        await addAudit(collections, { organizationId, entry, session })
      }),
    findPasswordReset: (digest) => mongo.read((db) => find(openCollections(db), digest)),
    async usePasswordReset(digest, { passwordHash }, entry) {
      const isUsed = await inTransaction(mongo, async (collections, session) => {
        const known = await find(collections, digest)
        if (!known) return false
        await writeUser(collections, { id: known.userId }, session)
        const reset = await find(collections, digest, session)
        if (!reset || reset.expiresAt <= entry.at) return false
        const { userId, organizationId, email } = reset
        const changed = { passwordHash, passwordVersion: reset.passwordVersion + 1 }
        const update = { $set: changed, $unset: { unverifiedSince: true } } as const
        await collections.users.updateOne({ _id: email }, update, { session })
        await collections.sessions.deleteMany({ userId }, { session })
        await collections.passwordResets.deleteMany({ userId }, { session })
        await addAudit(collections, { organizationId, entry, session })
        return true
      })
      if (isUsed) await lease.outlast()
      return isUsed
    },
  }
}

async function find(
  { passwordResets, users }: Collections,
  digest: Buffer,
  session?: mongo.ClientSession,
) {
  const within = session && { session }
  const document = await passwordResets.findOne({ _id: digest }, within)
  if (!document) return undefined
  const { organizationId, userId, passwordVersion } = document
  const member = await users.findOne({ id: userId }, within)
  if (!member) return undefined
  const user = toUser(member)
  if (user.passwordVersion !== passwordVersion) return undefined
  const expiresAt = document.expiresAt.toISOString()
  return { digest, organizationId, userId, passwordVersion, expiresAt, email: user.email }
}
