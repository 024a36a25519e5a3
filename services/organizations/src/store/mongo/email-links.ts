import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { addAudit } from './audit'
import { openCollections, type Collections } from './collections'
import { inTransaction } from './transaction'
import { toUser } from './user-document'
import type { OrganizationStore } from '../store'

type EmailLinks = Pick<OrganizationStore, 'addEmailLink' | 'findEmailLink' | 'verifyEmail'>

export function emailLinks(mongo: Mongo): EmailLinks {
  return {
    addEmailLink: ({ digest, expiresAt, ...content }, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { organizationId } = content
        const document = { _id: digest, ...content, expiresAt: new Date(expiresAt) }
        await collections.emailLinks.insertOne(document, { session })
        await addAudit(collections, { organizationId, entry, session })
      }),
    findEmailLink: (digest) => mongo.read((db) => find(openCollections(db), digest)),
    verifyEmail: (digest, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const found = await find(collections, digest, session)
        if (!found || found.link.expiresAt <= entry.at) return false
        const { userId, organizationId, email } = found.link
        const { users, emailLinks: links } = collections
        const verified = { $unset: { unverifiedSince: true } } as const
        await users.updateOne({ _id: email }, verified, { session })
        await links.deleteMany({ userId }, { session })
        await addAudit(collections, { organizationId, entry, session })
        return true
      }),
  }
}

async function find(
  { emailLinks: links, users }: Collections,
  digest: Buffer,
  session?: mongo.ClientSession,
) {
  const within = session && { session }
  const document = await links.findOne({ _id: digest }, within)
  if (!document) return undefined
  const { organizationId, userId, email } = document
  const isIts = { _id: email, id: userId, unverifiedSince: { $exists: true } }
  const user = await users.findOne(isIts, within)
  if (!user) return undefined
  const expiresAt = document.expiresAt.toISOString()
  return { link: { digest, organizationId, userId, email, expiresAt }, user: toUser(user) }
}
