/** The API keys of organizations in MongoDB. */

import type { Mongo } from '@einvoicing/kernel/mongo'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { ApiKey } from '@einvoicing/proto/organizations'
import type { mongo } from 'mongoose'
import { addAudit } from './mongo-audit'
import {
  collectionsOf,
  liveThenNewest,
  type ApiKeyDocument,
  type Collections,
} from './mongo-collections'
import { inTransaction } from './mongo-transaction'
import type { ApiKeyHolder, OrganizationStore } from './store'

type ApiKeys = Pick<
  OrganizationStore,
  'addApiKey' | 'countLiveApiKeys' | 'listApiKeys' | 'revokeApiKey' | 'findHolder' | 'recordUses'
>

export function apiKeys(mongo: Mongo): ApiKeys {
  return {
    addApiKey: ({ digest, ...key }, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { organizationId } = key
        const mentions = await mentionsFor(collections, organizationId, session)
        const kept = { _id: digest, ...key, live: true, mentions }
        await collections.apiKeys.insertOne(kept, { session })
        await addAudit(collections, { organizationId, entry, session })
      }),
    countLiveApiKeys: (organizationId) =>
      mongo.read((db) => collectionsOf(db).apiKeys.countDocuments({ organizationId, live: true })),
    listApiKeys: (organizationId, max) =>
      mongo.read(async (db) => {
        const found = collectionsOf(db).apiKeys.find({ organizationId })
        const keys = await found.sort(liveThenNewest).limit(max).toArray()
        return keys.map(toApiKey).sort(newestFirst)
      }),
    revokeApiKey: (organizationId, id, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const revoked = await collections.apiKeys.updateOne(
          { id, organizationId, live: true },
          { $set: { live: false, revokedAt: entry.at }, $unset: { mentions: '' } },
          { session },
        )
        if (revoked.modifiedCount > 0)
          await addAudit(collections, { organizationId, entry, session })
        const key = await collections.apiKeys.findOne({ id, organizationId }, { session })
        return key ? toApiKey(key) : undefined
      }),
    findHolder: (digest) => findHolder(mongo, digest),
    recordUses: (lastUsedAtById) => recordUses(mongo, lastUsedAtById),
  }
}

/** For a new key, which then conflicts with new mentions that are written at the same time. */
async function mentionsFor(
  { organizations }: Collections,
  organizationId: string,
  session: mongo.ClientSession,
): Promise<LegalMentions> {
  const another = { $inc: { keysMade: 1 } }
  const found = await organizations.findOneAndUpdate({ _id: organizationId }, another, { session })
  if (found) return found.mentions
  throw new Error(`there is no organization ${organizationId} to make a key for`)
}

function findHolder(mongo: Mongo, digest: Buffer): Promise<ApiKeyHolder | undefined> {
  return mongo.read(async (db) => {
    const key = await collectionsOf(db).apiKeys.findOne({ _id: digest, live: true })
    if (!key?.mentions) return undefined
    const { id: apiKeyId, organizationId, mentions } = key
    return { apiKeyId, organizationId, mentions }
  })
}

function recordUses(mongo: Mongo, lastUsedAtById: ReadonlyMap<string, string>): Promise<void> {
  // Several processes tell of the same key, each of its own last use.
  const updates = [...lastUsedAtById].map(([id, lastUsedAt]) => ({
    updateMany: { filter: { id }, update: { $max: { lastUsedAt } } },
  }))
  return mongo.write(async (db) => {
    if (updates.length === 0) return
    await collectionsOf(db).apiKeys.bulkWrite(updates, { ordered: false })
  })
}

function newestFirst(one: ApiKey, other: ApiKey): number {
  const [a, b] = [one.createdAt + one.id, other.createdAt + other.id]
  return a < b ? 1 : -1
}

function toApiKey({ id, name, last4, createdAt, lastUsedAt, revokedAt }: ApiKeyDocument): ApiKey {
  return { id, name, last4, createdAt, lastUsedAt, revokedAt }
}
