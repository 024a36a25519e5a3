import type { Mongo } from '@einvoicing/stores/mongo'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { ApiKey } from '@einvoicing/proto/organizations'
import type { mongo } from 'mongoose'
import { addAudit } from './audit'
import { toBytes } from './bytes'
import {
  openCollections,
  livePeppersIndex,
  liveThenNewest,
  soonestExpiry,
  type ApiKeyDocument,
  type Collections,
} from './collections'
import { inTransaction } from './transaction'
import type { PrimaryLease } from './lease'
import { checkWriterIn } from './sessions'
import { insertMails } from './mails'
import type { ApiKeyHolder, DigestChange, NewApiKey } from '../api-key-records'
import type { OrganizationStore, Writer } from '../store'

type ApiKeys = Pick<
  OrganizationStore,
  | 'addApiKey'
  | 'rotateApiKey'
  | 'findExpiringApiKeys'
  | 'announceExpiry'
  | 'listApiKeys'
  | 'revokeApiKey'
  | 'findHolders'
  | 'replaceDigest'
  | 'countLiveApiKeysByPepper'
  | 'recordUses'
>

export function apiKeys(mongo: Mongo, lease: PrimaryLease): ApiKeys {
  return {
    addApiKey: (by, { key, max }, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { organizationId } = key
        await checkWriterIn(collections, by, session)
        const issuer = await issuerFor(collections, organizationId, session)
        if (!issuer) return 'no-organization'
        const live = { organizationId, ...livingAt(key.createdAt) }
        const { apiKeys } = collections
        if ((await apiKeys.countDocuments(live, { session, limit: max })) >= max) return 'too-many'
        await apiKeys.insertOne(toDocument(key, issuer), { session })
        await addAudit(collections, { organizationId, entry, session })
        return 'added'
      }),
    rotateApiKey: (by, rotated, makeKey) => rotateApiKey(mongo, { by, ...rotated }, makeKey),
    ...apiKeyExpiry(mongo),
    listApiKeys: (organizationId, { now, max }) =>
      mongo.read(async (db) => {
        const { apiKeys } = openCollections(db)
        const find = (of: mongo.Filter<ApiKeyDocument>) =>
          apiKeys
            .find({ organizationId, ...of })
            .sort(liveThenNewest)
            .limit(max)
            .toArray()
        // The index has expired keys among the live ones.
        const [live, any] = await Promise.all([find(livingAt(now)), find({})])
        const byId = new Map([...live, ...any].map((key) => [key.id, toApiKey(key)]))
        return [...byId.values()].slice(0, max).sort(newestFirst)
      }),
    async revokeApiKey(by, id, entry) {
      const { organizationId } = by
      const key = await inTransaction(mongo, async (collections, session) => {
        await checkWriterIn(collections, by, session)
        const revoked = await collections.apiKeys.updateOne(
          { id, organizationId, live: true },
          { $set: { live: false, revokedAt: entry.at }, $unset: { mentions: '' } },
          { session },
        )
        if (revoked.modifiedCount > 0)
          await addAudit(collections, { organizationId, entry, session })
        const key = await collections.apiKeys.findOne({ id, organizationId }, { session })
        return key ? toApiKey(key) : undefined
      })
      if (key) await lease.outlast()
      return key
    },
    findHolders: (keys) => findCurrentHolders(mongo, lease, keys),
    replaceDigest: (change) => replaceDigest(mongo, change),
    countLiveApiKeysByPepper: (of) => countLiveApiKeysByPepper(mongo, of),
    recordUses: (...uses) => recordUses(mongo, ...uses),
  }
}

function apiKeyExpiry(mongo: Mongo): Pick<ApiKeys, 'findExpiringApiKeys' | 'announceExpiry'> {
  return {
    findExpiringApiKeys: ({ now, until, days, after }) =>
      mongo.read(async (db) => {
        const later = { expiresAt: { $gt: after?.expiresAt ?? now, $lte: until } }
        const same = after && { expiresAt: after.expiresAt, id: { $gt: after.id } }
        const unannounced = { live: true, announcedDays: { $not: { $lte: days } } }
        const $or = [later, ...(same ? [same] : [])].map((span) => ({ ...span, ...unannounced }))
        const found = openCollections(db).apiKeys.find({ $or })
        const keys = await found.sort(soonestExpiry).limit(100).toArray()
        return keys.map(({ id, organizationId, name, last4, expiresAt = '' }) => {
          return { id, organizationId, name, last4, expiresAt }
        })
      }),
    announceExpiry: (id, days, mails) =>
      inTransaction(mongo, async (collections, session) => {
        const due = { id, live: true, announcedDays: { $not: { $lte: days } } }
        const announced = { $set: { announcedDays: days } }
        const key = await collections.apiKeys.findOneAndUpdate(due, announced, { session })
        if (!key) return false
        const { organizationId } = key
        await insertMails(collections, mails, { organizationId, session })
        return true
      }),
  }
}

function livingAt(now: string) {
  return { live: true, expiresAt: { $not: { $lte: now } } }
}

interface Rotation {
  by: Writer
  id: string
  now: string
  until: string
  max: number
}

function rotateApiKey(
  mongo: Mongo,
  { by, id, now, until, max }: Rotation,
  makeKey: Parameters<ApiKeys['rotateApiKey']>[2],
) {
  return inTransaction(mongo, async (collections, session) => {
    const { organizationId } = by
    const { apiKeys } = collections
    await checkWriterIn(collections, by, session)
    const found = await apiKeys.findOne({ id, organizationId }, { session })
    if (!found) return undefined
    if (!found.live || (found.expiresAt !== undefined && found.expiresAt <= now)) return 'ended'
    const issuer = await issuerFor(collections, organizationId, session)
    if (!issuer) return undefined
    const live = { organizationId, ...livingAt(now) }
    if ((await apiKeys.countDocuments(live, { session, limit: max })) >= max) return 'too-many'
    const old = toApiKey(found)
    const { expiresAt } = found.beforeRotation ?? found
    const { key, audit: entry } = makeKey({ ...old, expiresAt })
    await apiKeys.insertOne(toDocument(key, issuer), { session })
    // A user who rotates a key knows that it expires: no mail is sent.
    const beforeRotation = expiresAt === undefined ? {} : { expiresAt }
    const expiry = { $min: { expiresAt: until }, $set: { announcedDays: 14, beforeRotation } }
    await apiKeys.updateOne({ _id: found._id }, expiry, { session })
    await addAudit(collections, { organizationId, entry, session })
    return old
  })
}

function toDocument(
  { digest, scopes, allowedNetworks, expiresAt, ...key }: NewApiKey,
  issuer: IssuerCopy,
): ApiKeyDocument {
  return {
    _id: digest,
    ...key,
    ...(scopes.length > 0 && { scopes }),
    ...(allowedNetworks.length > 0 && { allowedNetworks }),
    ...(expiresAt !== undefined && { expiresAt }),
    live: true,
    ...issuer,
  }
}

type IssuerCopy = Pick<ApiKeyDocument, 'approval'> & { mentions: LegalMentions }

/** Conflicts with concurrent changes of mentions and approval, and with other new keys. */
async function issuerFor(
  { organizations }: Collections,
  organizationId: string,
  session: mongo.ClientSession,
): Promise<IssuerCopy | undefined> {
  const another = { $inc: { keysMade: 1 } }
  const found = await organizations.findOneAndUpdate({ _id: organizationId }, another, { session })
  if (!found) return undefined
  const { mentions, approval } = found
  return { mentions, ...(approval && { approval }) }
}

async function findCurrentHolders(
  mongo: Mongo,
  lease: PrimaryLease,
  keys: Parameters<ApiKeys['findHolders']>[0],
): ReturnType<ApiKeys['findHolders']> {
  const find = (digests: readonly (readonly Buffer[])[]) =>
    mongo.read(async (db) => {
      await lease.hold(db)
      return findHolders(db, digests)
    })
  const found = await find(keys)
  // A digest may have changed between the two look-ups.
  const missed = [...keys.entries()].filter(([at, digests]) => digests.length > 1 && !found[at])
  if (missed.length === 0) return found
  const again = await find(missed.map(([, digests]) => digests))
  for (const [index, [at]] of missed.entries()) found[at] = again[index]
  return found
}

async function findHolders(
  db: mongo.Db,
  keys: readonly (readonly Buffer[])[],
): Promise<(ApiKeyHolder | undefined)[]> {
  const digests = keys.flat()
  const [only] = digests
  const _id = only && digests.length === 1 ? only : { $in: digests }
  // Without both the server may keep a cursor open.
  const bounds = { limit: digests.length, batchSize: digests.length }
  const found = await openCollections(db).apiKeys.find({ _id, live: true }, bounds).toArray()
  const byDigest = new Map(
    found.map((key) => [Buffer.from(toBytes(key._id)).toString('latin1'), key]),
  )
  return keys.map((all) => {
    for (const digest of all) {
      const key = byDigest.get(digest.toString('latin1'))
      if (!key?.mentions) continue
      const { id: apiKeyId, organizationId, mentions, approval } = key
      return { digest, apiKeyId, organizationId, mentions, approval, ...toLimits(key) }
    }
    return undefined
  })
}

/** The digest is the `_id`, which cannot change: deleted and inserted again. */
function replaceDigest(mongo: Mongo, { from, to, pepper }: DigestChange): Promise<boolean> {
  return inTransaction(mongo, async ({ apiKeys }, session) => {
    const key = await apiKeys.findOneAndDelete({ _id: from, live: true }, { session })
    if (!key) return false
    await apiKeys.insertOne({ ...key, _id: to, pepper }, { session })
    return true
  })
}

function countLiveApiKeysByPepper(mongo: Mongo, { now, except }: { now: string; except: string }) {
  return mongo.read(async (db) => {
    const $match = { ...livingAt(now), pepper: { $ne: except } }
    const counted = openCollections(db).apiKeys.aggregate<{ _id: string | null; keys: number }>(
      [{ $match }, { $group: { _id: '$pepper', keys: { $sum: 1 } } }],
      { hint: livePeppersIndex },
    )
    return (await counted.toArray()).map(({ _id, keys }) => ({ pepper: _id ?? undefined, keys }))
  })
}

function recordUses(
  mongo: Mongo,
  lastUsedAtById: ReadonlyMap<string, string>,
  networkById?: ReadonlyMap<string, string>,
): Promise<void> {
  const updates = [...lastUsedAtById].map(([id, lastUsedAt]) => {
    const lastUsedNetwork = networkById?.get(id)
    const used = { lastUsedAt, ...(lastUsedNetwork !== undefined && { lastUsedNetwork }) }
    const filter = { id, lastUsedAt: { $not: { $gte: lastUsedAt } } }
    return { updateMany: { filter, update: { $set: used } } }
  })
  return mongo.write(async (db) => {
    if (updates.length === 0) return
    await openCollections(db).apiKeys.bulkWrite(updates, { ordered: false })
  })
}

function newestFirst(one: ApiKey, other: ApiKey): number {
  const [a, b] = [one.createdAt + one.id, other.createdAt + other.id]
  return a < b ? 1 : -1
}

function toApiKey({ id, name, last4, createdAt, ...document }: ApiKeyDocument): ApiKey {
  const { lastUsedAt, lastUsedNetwork, revokedAt } = document
  const key = { id, name, last4, createdAt, lastUsedAt, lastUsedNetwork, revokedAt }
  return { ...key, ...toLimits(document) }
}

function toLimits({
  scopes = [],
  allowedNetworks = [],
  expiresAt,
}: Pick<ApiKeyDocument, 'scopes' | 'allowedNetworks' | 'expiresAt'>) {
  return { scopes: [...scopes], allowedNetworks: [...allowedNetworks], expiresAt }
}
