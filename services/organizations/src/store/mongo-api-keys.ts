/** The API keys of organizations in MongoDB. */

import type { Mongo } from '@einvoicing/kernel/mongo'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { ApiKey } from '@einvoicing/proto/organizations'
import { addAudit } from './mongo-audit'
import { collectionsOf, liveThenNewest, type ApiKeyDocument } from './mongo-collections'
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
        await collections.apiKeys.insertOne({ _id: digest, ...key, live: true }, { session })
        await addAudit(collections, { organizationId: key.organizationId, entry, session })
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
          { $set: { live: false, revokedAt: entry.at } },
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

interface FoundHolder {
  id: string
  organizationId: string
  organizations: { mentions: LegalMentions }[]
}

function findHolder(mongo: Mongo, digest: Buffer): Promise<ApiKeyHolder | undefined> {
  const question = [
    { $match: { _id: digest, live: true } },
    {
      $lookup: {
        from: 'organizations',
        localField: 'organizationId',
        foreignField: '_id',
        as: 'organizations',
      },
    },
  ]
  return mongo.read(async (db) => {
    const [found] = await collectionsOf(db).apiKeys.aggregate<FoundHolder>(question).toArray()
    const [organization] = found?.organizations ?? []
    if (!found || !organization) return undefined
    const { id: apiKeyId, organizationId } = found
    return { apiKeyId, organizationId, mentions: organization.mentions }
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
