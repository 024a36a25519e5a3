/**
 * Where organizations, their users, the digests of their keys and their audit rest. Adapters:
 * sqlite.ts, mongo.ts.
 */

import type { Role } from '@einvoicing/kernel/role'
import type {
  AuditEntry,
  AuditPage,
  LegalMentions,
  ListAuditRequest,
} from '@einvoicing/proto/invoice'
import type { ApiKey, Member } from '@einvoicing/proto/organizations'

export interface User {
  id: string
  organizationId: string
  /** Normalised; unique over all organizations. */
  email: string
  /** argon2id, in the PHC format. */
  passwordHash: string
  /** How often it was changed. */
  passwordVersion: number
  /** OWNER where an earlier version, which knew no roles, kept the user. */
  role: Role
  createdAt: string
}

/** With the mentions of the organization as they are now. */
export interface UserWithMentions {
  user: User
  mentions: LegalMentions
}

/** Someone who was asked to join, until they do or it is withdrawn. */
export interface Invitation {
  id: string
  organizationId: string
  /** Normalised; once in an organization. */
  email: string
  role: Role
  /** SHA-256 of the token. */
  digest: Buffer
  createdAt: string
  expiresAt: string
}

export interface NewOrganization {
  id: string
  mentions: LegalMentions
  createdAt: string
  user: User
}

export interface NewApiKey {
  id: string
  organizationId: string
  name: string
  /** See `keptDigest`. */
  digest: Buffer
  /** The mark of the pepper that the digest is keyed with. */
  pepper: string
  last4: string
  createdAt: string
}

/** Who a live API key speaks for. */
export interface ApiKeyHolder {
  /** That of the digests asked for under which it is kept. */
  digest: Buffer
  apiKeyId: string
  organizationId: string
  mentions: LegalMentions
}

/** What is kept of a key, from one pepper to another. */
export interface DigestChange {
  from: Buffer
  to: Buffer
  /** The mark of the pepper of `to`. */
  pepper: string
}

/**
 * Every write takes its audit entry and keeps both or neither, on disk before it resolves; every
 * read begun after that sees it, in whatever process. What concerns one organization is found under
 * that organization alone. Where the store cannot read or write for now, each throws `SERVICE_UNAVAILABLE`.
 */
export interface OrganizationStore {
  hasOrganizations(): Promise<boolean>
  /** Both the organization and its first user, or neither. */
  addOrganization(
    organization: NewOrganization,
    audit: AuditEntry,
  ): Promise<'added' | 'email-taken'>
  findUser(email: string): Promise<User | undefined>
  /** On the path of every request by session. */
  findMember(organizationId: string, userId: string): Promise<UserWithMentions | undefined>
  /** False where the user is gone, or has another password than `seen`. */
  changePassword(seen: User, passwordHash: string, audit: AuditEntry): Promise<boolean>

  /** Members, then invitations, oldest first. */
  listMembers(organizationId: string): Promise<Member[]>
  /**
   * In place of an earlier invitation of the same email, whose id and `createdAt` it then has.
   * `too-many` where members and invitations would be more than `max`.
   */
  invite(
    invitation: Invitation,
    max: number,
    audit: AuditEntry,
  ): Promise<Invitation | 'email-taken' | 'too-many'>
  findInvitation(digest: Buffer): Promise<Invitation | undefined>
  /**
   * The invitation becomes the user that `join` makes of it; what `join` throws undoes all.
   * `undefined` where there is none any more.
   */
  acceptInvitation(
    digest: Buffer,
    join: (invitation: Invitation) => { user: User; audit: AuditEntry },
  ): Promise<User | 'email-taken' | undefined>
  /**
   * Of a member or an invitation; the same role again is not audited. `undefined` where there is
   * neither.
   */
  changeRole(
    organizationId: string,
    changed: { id: string; role: Role },
    describe: (before: Member) => AuditEntry,
  ): Promise<Member | 'last-owner' | undefined>
  /** Answers who it was; withdraws an invitation. */
  removeMember(
    organizationId: string,
    id: string,
    describe: (before: Member) => AuditEntry,
  ): Promise<Member | 'last-owner' | undefined>

  findMentions(organizationId: string): Promise<LegalMentions | undefined>
  /**
   * `describe` writes the audit entry from the mentions replaced. False where there is no such
   * organization.
   */
  replaceMentions(
    organizationId: string,
    mentions: LegalMentions,
    describe: (before: LegalMentions) => AuditEntry,
  ): Promise<boolean>

  addApiKey(key: NewApiKey, audit: AuditEntry): Promise<void>
  countLiveApiKeys(organizationId: string): Promise<number>
  /** Newest first; of more than `max`, the live ones and then the newest revoked. */
  listApiKeys(organizationId: string, max: number): Promise<ApiKey[]>
  /**
   * A key revoked before stays as it was, unaudited. `undefined` where the organization has no such
   * key.
   */
  revokeApiKey(
    organizationId: string,
    apiKeyId: string,
    audit: AuditEntry,
  ): Promise<ApiKey | undefined>
  /**
   * On the path of every request: one look-up, by whichever of `digests` the key is kept.
   * `undefined` for a key unknown or revoked.
   */
  findHolder(digests: readonly Buffer[]): Promise<ApiKeyHolder | undefined>
  /** Nobody's act, so unaudited. False where no live key is kept under `from`. */
  replaceDigest(change: DigestChange): Promise<boolean>
  /** By mark; keys kept by versions that had one pepper have none. */
  countLiveApiKeysByPepper(): Promise<{ pepper: string | undefined; keys: number }[]>
  /** ISO 8601 moments by API key id. A use before the last one known changes nothing. */
  recordUses(lastUsedAtById: ReadonlyMap<string, string>): Promise<void>

  addAudit(organizationId: string, audit: AuditEntry): Promise<void>
  /** Newest first. */
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>

  /** What `rememberFirst` keeps for `name`, if anything. */
  remembered(name: string): Promise<string | undefined>
  /** Keeps the first value ever given for `name`, and answers it. */
  rememberFirst(name: string, value: string): Promise<string>
  /** Resolves when the store answers a query. */
  check(): Promise<void>
  close(): Promise<void>
}
