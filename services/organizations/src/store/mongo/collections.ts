/**
 * The collections of organizations in MongoDB, and the indexes every question to them is answered
 * by.
 *
 * Ready to be sharded: what is asked for under an organization lies by organization. An email and
 * a key's digest are asked for by themselves, before any organization is known, so each is the
 * `_id` of its document: unique over all shards, and found on one.
 */

import type { MongoMigrations } from '@einvoicing/stores/mongo-migrations'
import type { Role } from '@einvoicing/domain/role'
import type { AuditEntry, LegalMentions } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'

interface OrganizationDocument {
  _id: string
  mentions: LegalMentions
  createdAt: string
  /** Counted so that a new key and new mentions never pass each other by: both write here. */
  keysMade: number
  /** Counted so that two changes of who belongs to it never pass each other by. */
  membersChanged?: number
}

/** What is optional is not there where a version that did not know it kept the user. */
export interface UserDocument {
  /** The email. */
  _id: string
  id: string
  organizationId: string
  passwordHash: string
  passwordVersion?: number
  role?: Role
  createdAt?: string
  knownNetworks?: readonly string[]
  /**
   * Counted by what the user writes and by what ends a session of theirs, so that neither passes
   * the other by.
   */
  writes?: number
}

export interface SessionDocument {
  _id: string
  organizationId: string
  userId: string
  passwordVersion: number
  network: string
  device: string
  createdAt: string
  lastSeenAt: string
  /** A date, by which MongoDB itself removes it. */
  expiresAt: Date
  /** Counted as with the user. */
  writes?: number
}

export interface PasswordResetDocument {
  /** The digest of the token. */
  _id: Buffer
  organizationId: string
  userId: string
  passwordVersion: number
  /** A date, by which MongoDB itself removes it. */
  expiresAt: Date
}

export interface InvitationDocument {
  /** The digest of the token. */
  _id: Buffer
  id: string
  organizationId: string
  email: string
  role: Role
  createdAt: string
  expiresAt: string
}

export interface ApiKeyDocument {
  /** The digest. */
  _id: Buffer
  id: string
  organizationId: string
  name: string
  last4: string
  createdAt: string
  lastUsedAt?: string
  revokedAt?: string
  /** Its organization's, for as long as it lives: a request is then one look-up. */
  mentions?: LegalMentions
  /** The mark of the digest's; absent: that of the first pepper remembered. */
  pepper?: string
  /** Until it is revoked: so that live keys come first in an index. */
  live: boolean
}

/** Its `_id` grows with time, and so decides between entries of one moment. */
interface AuditDocument {
  organizationId: string
  at: string
  entry: AuditEntry
}

interface RememberedDocument {
  /** The name. */
  _id: string
  value: string
}

export function openCollections(db: mongo.Db) {
  return {
    organizations: db.collection<OrganizationDocument>('organizations'),
    users: db.collection<UserDocument>('users'),
    invitations: db.collection<InvitationDocument>('invitations'),
    sessions: db.collection<SessionDocument>('sessions'),
    passwordResets: db.collection<PasswordResetDocument>('password_resets'),
    apiKeys: db.collection<ApiKeyDocument>('api_keys'),
    audit: db.collection<AuditDocument>('organization_audit'),
    remembered: db.collection<RememberedDocument>('remembered'),
  }
}

/** Of rate-limiter-flexible, with its own documents. */
export const attemptsCollection = 'sign_in_attempts'

export type Collections = ReturnType<typeof openCollections>

/** Also the order of an API key list. */
export const liveThenNewest = { live: -1, createdAt: -1, id: -1 } as const
export const newest = { at: -1, _id: -1 } as const

export const newestSession = { createdAt: -1, _id: -1 } as const

const livePeppers = { live: 1, pepper: 1 } as const
/** Answers how many live keys are kept under which pepper. */
export const livePeppersIndex = 'live_by_pepper'

export const migrations: MongoMigrations = {
  name: 'organizations',
  steps: [
    async (db) => {
      const { apiKeys, audit, organizations, users, remembered } = openCollections(db)
      const others = { organizations, users, remembered }
      // A transaction over several shards cannot make one.
      for (const { collectionName } of Object.values(others)) await make(db, collectionName)
      const of = { organizationId: 1 } as const
      await apiKeys.createIndex({ ...of, ...liveThenNewest }, { name: 'of_organization' }, {})
      await apiKeys.createIndex({ id: 1 }, { name: 'by_id' }, {})
      await audit.createIndex({ ...of, ...newest }, { name: 'newest_of_organization' }, {})
    },
    {
      add: (db) =>
        openCollections(db).apiKeys.createIndex(livePeppers, { name: livePeppersIndex }, {}),
    },
    {
      async add(db) {
        const { users } = openCollections(db)
        await users.createIndex({ id: 1 }, { name: 'by_id' }, {})
        await users.createIndex({ organizationId: 1 }, { name: 'of_organization' }, {})
      },
    },
    {
      add: (db) =>
        openCollections(db).invitations.createIndex(
          { organizationId: 1 },
          { name: 'of_organization' },
          {},
        ),
    },
    {
      async add(db) {
        const { sessions } = openCollections(db)
        const ofUser = { userId: 1, ...newestSession } as const
        await sessions.createIndex(ofUser, { name: 'of_user' }, {})
        const whenExpired = { name: 'expiry', expireAfterSeconds: 0 }
        await sessions.createIndex({ expiresAt: 1 }, whenExpired, {})
      },
    },
    {
      async add(db) {
        const attempts = db.collection(attemptsCollection)
        await attempts.createIndex({ key: 1 }, { name: 'by_key', unique: true }, {})
        const whenEnded = { name: 'end', expireAfterSeconds: 0 }
        await attempts.createIndex({ expire: 1 }, whenEnded, {})
      },
    },
    {
      async add(db) {
        const { passwordResets } = openCollections(db)
        await passwordResets.createIndex({ userId: 1 }, { name: 'of_user' }, {})
        const whenExpired = { name: 'expiry', expireAfterSeconds: 0 }
        await passwordResets.createIndex({ expiresAt: 1 }, whenExpired, {})
      },
    },
  ],
}

const alreadyExists = 48

async function make(db: mongo.Db, collection: string): Promise<void> {
  try {
    await db.createCollection(collection)
  } catch (error) {
    if ((error as mongo.MongoServerError).code !== alreadyExists) throw error
  }
}
