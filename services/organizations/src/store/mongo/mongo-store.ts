/**
 * Writes are rare (a person in the dashboard), so each is a transaction with its audit entry; only
 * `findHolders` is frequent, and it is one look-up by `_id`. Every process reads from a proven
 * primary (`lease.ts`): a revoked key is revoked everywhere.
 */

import { openMongo, type Mongo } from '@einvoicing/stores/mongo'
import type { MongoConfig } from '@einvoicing/stores/mongo-config'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import type { Log } from '@einvoicing/runtime/log'
import { apiKeys } from './api-keys'
import { attempts } from './attempts'
import { addAudit, audits } from './audit'
import { openCollections, migrations } from './collections'
import { invitations, members } from './members'
import { mails } from './mails'
import { PrimaryLease } from './lease'
import { passwordResets } from './password-resets'
import { checkWriterIn, insertSession, sessions } from './sessions'
import { inTransaction, what } from './transaction'
import { toDocument } from './user-document'
import { users } from './users'
import type { OrganizationStore } from '../store'

/**
 * Throws `SettingsError` when MongoDB can never be used; an unavailable one is waited for in the
 * background.
 */
export async function openMongoStore(config: MongoConfig, log: Log): Promise<OrganizationStore> {
  const mongo = await openMongo(config, { what, migrations, log })
  const lease = new PrimaryLease()
  return {
    ...organizations(mongo),
    ...users(mongo, lease),
    ...sessions(mongo, lease),
    ...members(mongo, lease),
    ...invitations(mongo),
    ...apiKeys(mongo, lease),
    ...audits(mongo),
    ...attempts(mongo),
    ...passwordResets(mongo, lease),
    ...mails(mongo),
    remembered: (name) =>
      mongo.read(async (db) => {
        return (await openCollections(db).remembered.findOne({ _id: name }))?.value
      }),
    rememberFirst: (name, value) => rememberFirst(mongo, name, value),
    check: () => mongo.check(),
    close: () => mongo.close(),
  }
}

type Organizations = Pick<
  OrganizationStore,
  'hasOrganizations' | 'addOrganization' | 'findMentions' | 'listByIce' | 'replaceMentions'
>

function organizations(mongo: Mongo): Organizations {
  return {
    hasOrganizations: () =>
      mongo.read(async (db) => {
        const any = { projection: { _id: 1 }, hint: { _id: 1 } } as const
        return (await openCollections(db).organizations.findOne({}, any)) !== null
      }),
    addOrganization: ({ id, mentions, createdAt, user, session: opened }, entry) =>
      unlessTaken(
        inTransaction(mongo, async (collections, session) => {
          const knownNetworks = opened ? [opened.network] : []
          await collections.users.insertOne(toDocument({ ...user, knownNetworks }), { session })
          if (opened) await insertSession(collections, opened, session)
          await collections.organizations.insertOne(
            { _id: id, mentions, createdAt, keysMade: 0 },
            { session },
          )
          await addAudit(collections, { organizationId: id, entry, session })
        }),
      ),
    findMentions: (organizationId) =>
      mongo.read(async (db) => {
        const found = await openCollections(db).organizations.findOne({ _id: organizationId })
        return found?.mentions
      }),
    listByIce: (ice, count) =>
      mongo.read(async (db) => {
        const { organizations: all } = openCollections(db)
        const options = { projection: { _id: 1 as const }, sort: { _id: 1 as const }, limit: count }
        const found = await all.find({ 'mentions.ice': ice }, options).toArray()
        return found.map(({ _id }) => _id)
      }),
    replaceMentions: (by, mentions, describe) =>
      inTransaction(mongo, async (collections, session) => {
        const { organizationId } = by
        await checkWriterIn(collections, by, session)
        const before = await collections.organizations.findOneAndUpdate(
          { _id: organizationId },
          { $set: { mentions } },
          { session, returnDocument: 'before' },
        )
        if (!before) return false
        const itsKeys = { organizationId, live: true }
        await collections.apiKeys.updateMany(itsKeys, { $set: { mentions } }, { session })
        const entry = describe(before.mentions)
        await addAudit(collections, { organizationId, entry, session })
        return true
      }),
  }
}

/** Only the email can conflict: ids and digests are 128 and 256 random bits. */
async function unlessTaken(adding: Promise<void>): Promise<'added' | 'email-taken'> {
  try {
    await adding
    return 'added'
  } catch (error) {
    if (isDuplicateKey(error)) return 'email-taken'
    throw error
  }
}

function rememberFirst(mongo: Mongo, name: string, value: string): Promise<string> {
  return mongo.write(async (db) => {
    const { remembered } = openCollections(db)
    const first = { $setOnInsert: { value } }
    const insert = () =>
      remembered.findOneAndUpdate({ _id: name }, first, { upsert: true, returnDocument: 'after' })
    // Of two concurrent inserts one fails, and then finds the other's value.
    const inserted = await insert().catch((error: unknown) => {
      if (isDuplicateKey(error)) return insert()
      throw error
    })
    return inserted?.value ?? value
  })
}
