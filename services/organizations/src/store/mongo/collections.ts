/** Sharded by organization. Emails and key digests are looked up first, so they are the `_id`. */

import type { ChainLink } from '@einvoicing/runtime/audit-chain'
import { createChain } from '@einvoicing/stores/mongo-audit-chain'
import type { MongoMigrations } from '@einvoicing/stores/mongo-migrations'
import type { Approval } from '@einvoicing/domain/approval'
import type { Role } from '@einvoicing/domain/role'
import type { AuditEntry, LegalMentions } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import type { Mail } from '../../mail/mail'
import type { EmailChange, EmailChangeLink } from '../email-changes'

export interface OrganizationDocument {
  _id: string
  mentions: LegalMentions
  createdAt: string
  approval?: Approval
  /** The latest last; absent in documents of earlier versions. */
  formerIces?: string[]
  /** Its only member was removed; the audit log stays. */
  closedAt?: string
  /** Incremented by a new key and by new mentions, so that the two conflict. */
  keysMade: number
  /** Incremented by each change of members, so that two conflict. */
  membersChanged?: number
  requiresSecondFactor?: boolean
}

/** Fields of later versions are optional: earlier documents do not have them. */
export interface UserDocument {
  _id: string
  id: string
  organizationId: string
  passwordHash: string
  passwordVersion?: number
  role?: Role
  createdAt?: string
  knownNetworks?: readonly string[]
  knownDevices?: readonly string[]
  unverifiedSince?: string
  others?: readonly MembershipDocument[]
  /** Absent or left since: the first one. */
  lastOrganizationId?: string
  /** Incremented by writes of the user and by the end of sessions, so that the two conflict. */
  writes?: number
}

export interface MembershipDocument {
  organizationId: string
  role: Role
  createdAt: string
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
  /** Absent in documents of earlier versions: equal to `createdAt`. */
  confirmedAt?: string
  /** MongoDB deletes the document then. */
  expiresAt: Date
  writes?: number
}

export interface SecondFactorsDocument {
  _id: string
  /** JSON; its secrets are encrypted or hashed. */
  content: string
  isEnrolled: boolean
}

export interface PasswordResetDocument {
  _id: Buffer
  organizationId: string
  userId: string
  passwordVersion: number
  expiresAt: Date
}

export interface EmailLinkDocument {
  _id: Buffer
  organizationId: string
  userId: string
  email: string
  expiresAt: Date
}

export interface EmailChangeDocument extends Omit<EmailChange, 'userId' | 'expiresAt'> {
  _id: string
  links: Pick<EmailChangeLink, 'digest' | 'side'>[]
  expiresAt: Date
}

export interface InvitationDocument {
  _id: Buffer
  id: string
  organizationId: string
  email: string
  role: Role
  createdAt: string
  expiresAt: string
}

export interface ApiKeyDocument {
  _id: Buffer
  id: string
  organizationId: string
  name: string
  last4: string
  createdAt: string
  lastUsedAt?: string
  revokedAt?: string
  /** Absent: all. */
  scopes?: readonly string[]
  allowedNetworks?: readonly string[]
  expiresAt?: string
  /** What rotation changes, as it was before the first one. */
  beforeRotation?: { expiresAt?: string }
  lastUsedNetwork?: string
  /** Of the last mail about the expiry, 14 or 2. */
  announcedDays?: number
  /** Copied from the organization, so that a request needs one look-up. */
  mentions?: LegalMentions
  approval?: Approval
  /** Absent: the oldest pepper. */
  pepper?: string
  /** False once revoked, not once expired: the index lists live keys first. */
  live: boolean
}

/** `_id` grows with time, which orders entries of the same moment. */
export interface AuditDocument extends Partial<ChainLink> {
  organizationId: string
  at: string
  entry: AuditEntry
  /** Absent once it has its place in the chain, and in entries of earlier versions. */
  unlinked?: true
}

export const auditCollections = {
  audit: 'organization_audit',
  heads: 'organization_audit_head',
} as const

interface MailDocument {
  _id: string
  mail: Mail
  /** Links have no organization, and turn 0. Absent in documents that earlier versions store. */
  organizationId?: string
  turn?: number
  attempts: number
  nextAttemptAt: string
}

interface HeldIceDocument {
  _id: string
  organizationId?: string
  /** Incremented by each check, so that two conflict. */
  looks: number
}

interface RememberedDocument {
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
    emailLinks: db.collection<EmailLinkDocument>('email_links'),
    emailChanges: db.collection<EmailChangeDocument>('email_changes'),
    secondFactors: db.collection<SecondFactorsDocument>('second_factors'),
    apiKeys: db.collection<ApiKeyDocument>('api_keys'),
    audit: db.collection<AuditDocument>(auditCollections.audit),
    mails: db.collection<MailDocument>('mails'),
    heldIces: db.collection<HeldIceDocument>('held_ices'),
    remembered: db.collection<RememberedDocument>('remembered'),
  }
}

/** Documents of rate-limiter-flexible. */
export const attemptsCollection = 'sign_in_attempts'

export type Collections = ReturnType<typeof openCollections>

export const liveThenNewest = { live: -1, createdAt: -1, id: -1 } as const
export const soonestExpiry = { expiresAt: 1, id: 1 } as const
export const newest = { at: -1, _id: -1 } as const

export const newestSession = { createdAt: -1, _id: -1 } as const

const livePeppers = { live: 1, pepper: 1 } as const
export const livePeppersIndex = 'live_by_pepper'

export const migrations: MongoMigrations = {
  name: 'organizations',
  steps: [
    async (db) => {
      const { apiKeys, audit, organizations, users, remembered } = openCollections(db)
      const others = { organizations, users, remembered }
      // A transaction over several shards cannot create one.
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
    {
      add: (db) =>
        openCollections(db).mails.createIndex({ nextAttemptAt: 1 }, { name: 'by_turn' }, {}),
    },
    {
      add: (db) =>
        openCollections(db).organizations.createIndex(
          { 'mentions.ice': 1 },
          { name: 'by_ice' },
          {},
        ),
    },
    {
      add: (db) =>
        openCollections(db).apiKeys.createIndex(
          { expiresAt: 1 },
          { name: 'by_expiry', sparse: true },
          {},
        ),
    },
    {
      async add(db) {
        await createChain(db, auditCollections, make)
        const unlinked = { unlinked: 1, organizationId: 1 } as const
        const { audit } = openCollections(db)
        await audit.createIndex(
          unlinked,
          { name: 'unlinked', partialFilterExpression: { unlinked: true } },
          {},
        )
      },
    },
    { add: (db) => make(db, openCollections(db).secondFactors.collectionName) },
    { add: (db) => make(db, openCollections(db).heldIces.collectionName) },
    {
      async add(db) {
        const { users, emailLinks } = openCollections(db)
        const isUnverified = { unverifiedSince: { $exists: true } }
        await users.createIndex(
          { unverifiedSince: 1, id: 1 },
          { name: 'unverified', partialFilterExpression: isUnverified },
          {},
        )
        await emailLinks.createIndex({ userId: 1 }, { name: 'of_user' }, {})
        const whenExpired = { name: 'expiry', expireAfterSeconds: 0 }
        await emailLinks.createIndex({ expiresAt: 1 }, whenExpired, {})
      },
    },
    {
      add: (db) =>
        openCollections(db).users.createIndex(
          { 'others.organizationId': 1 },
          { name: 'of_other_organization', sparse: true },
          {},
        ),
    },
    {
      async add(db) {
        const { emailChanges } = openCollections(db)
        await emailChanges.createIndex({ 'links.digest': 1 }, { name: 'by_link' }, {})
        const whenExpired = { name: 'expiry', expireAfterSeconds: 0 }
        await emailChanges.createIndex({ expiresAt: 1 }, whenExpired, {})
      },
    },
    {
      add: (db) =>
        openCollections(db).organizations.createIndex(
          { formerIces: 1, _id: 1 },
          { name: 'by_former_ice' },
          {},
        ),
    },
    {
      async add(db) {
        const { mails } = openCollections(db)
        await mails.createIndex({ turn: 1, nextAttemptAt: 1 }, { name: 'links_first' }, {})
        await mails.createIndex({ organizationId: 1, turn: -1 }, { name: 'of_organization' }, {})
      },
    },
    {
      async add(db) {
        const { organizations } = openCollections(db)
        const then = { approval: 1, _id: 1 } as const
        const current = { 'mentions.ice': 1, ...then } as const
        await organizations.createIndex(current, { name: 'issuers_by_ice' }, {})
        const former = { formerIces: 1, ...then } as const
        await organizations.createIndex(former, { name: 'issuers_by_former_ice' }, {})
      },
    },
    {
      add: (db) =>
        openCollections(db).apiKeys.createIndex(
          soonestExpiry,
          {
            name: 'soonest_expiry',
            partialFilterExpression: { expiresAt: { $exists: true } },
          },
          {},
        ),
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
