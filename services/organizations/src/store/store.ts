/**
 * Where organizations, their users, the digests of their keys and their audit rest. Adapters:
 * sqlite.ts, mongo.ts.
 */

import type { Role } from '@einvoicing/domain/role'
import type {
  AuditEntry,
  AuditPage,
  LegalMentions,
  ListAuditRequest,
} from '@einvoicing/proto/invoice'
import type { ApiKey, Member } from '@einvoicing/proto/organizations'
import type { AttemptCounter, AttemptLimit } from './attempt-counter'

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
  /** From which the user signed in, the latest first. */
  knownNetworks: readonly string[]
}

/** With the mentions of the organization as they are now. */
export interface UserWithMentions {
  user: User
  mentions: LegalMentions
}

/** A sign-in to the dashboard, until it is ended or too old. Moments in ISO 8601. */
export interface Session {
  id: string
  organizationId: string
  userId: string
  /** The user's when it was opened. */
  passwordVersion: number
  /** See `clientNetwork`. */
  network: string
  /** The client's User-Agent. */
  device: string
  createdAt: string
  /** Known to within some minutes. */
  lastSeenAt: string
  expiresAt: string
}

/** Lets its holder set a user's password once, under the password version it was made for. */
export interface PasswordReset {
  /** SHA-256 of the token. */
  digest: Buffer
  organizationId: string
  userId: string
  passwordVersion: number
  /** ISO 8601. */
  expiresAt: string
}

export interface OpenSession extends UserWithMentions {
  session: Session
}

/**
 * Who writes for which organization. With a session, the transaction that writes checks that the
 * session is open and its user has the role, and throws `SESSION_INVALID` or `FORBIDDEN` otherwise;
 * without one the operator writes.
 */
export interface Writer {
  organizationId: string
  /** For the audit log. */
  actor: string
  session?: { id: string; role: Role; at: string } | undefined
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
  /** Absent where no one signs in: the demo. */
  session?: Session | undefined
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
  /** The organization, its first user and their session, or nothing. */
  addOrganization(
    organization: NewOrganization,
    audit: AuditEntry,
  ): Promise<'added' | 'email-taken'>
  /** Asks the same of the store for an email that no user has. */
  findUser(email: string): Promise<User | undefined>
  findMember(organizationId: string, userId: string): Promise<UserWithMentions | undefined>
  /**
   * With a new session in place of every other of the user. False where the password is another
   * than `seen`.
   */
  changePassword(
    by: Writer,
    change: { seen: User; passwordHash: string; session: Session },
    audit: AuditEntry,
  ): Promise<boolean>

  /** Audited under its organization. */
  addPasswordReset(reset: PasswordReset, audit: AuditEntry): Promise<void>
  /** `undefined` once it was used, or its user is gone or has another password. */
  findPasswordReset(digest: Buffer): Promise<(PasswordReset & { email: string }) | undefined>
  /** Uses it up and ends every session of the user. False where it does not hold any more. */
  usePasswordReset(digest: Buffer, passwordHash: string, audit: AuditEntry): Promise<boolean>

  /**
   * Of a user who may have many: the first of too many ends. Their network becomes a known one.
   * False where the user is gone, or has another password than the session.
   */
  openSession(session: Session, audit: AuditEntry): Promise<boolean>
  /**
   * On the path of every request by session. `undefined` once the session is ended, its user is gone
   * or has another password; one that is too old may still be found.
   */
  findSession(
    of: Pick<Session, 'id' | 'organizationId' | 'userId'>,
  ): Promise<OpenSession | undefined>
  /** False, unaudited, where there is none any more. */
  endSession(organizationId: string, sessionId: string, audit: AuditEntry): Promise<boolean>
  /** ISO 8601 moments by session id. One before the last one known changes nothing. */
  recordSeen(lastSeenAtById: ReadonlyMap<string, string>): Promise<void>

  /** Members, then invitations, oldest first. */
  listMembers(organizationId: string): Promise<Member[]>
  /**
   * In place of an earlier invitation of the same email, whose id and `createdAt` it then has.
   * `too-many` where members and invitations would be more than `max`.
   */
  invite(
    by: Writer,
    invited: { invitation: Invitation; max: number },
    audit: AuditEntry,
  ): Promise<Invitation | 'email-taken' | 'too-many'>
  findInvitation(digest: Buffer): Promise<Invitation | undefined>
  /**
   * The invitation becomes the user that `join` makes of it; what `join` throws undoes all.
   * `undefined` where there is none any more.
   */
  acceptInvitation(
    digest: Buffer,
    join: (invitation: Invitation) => { user: User; session: Session; audit: AuditEntry },
  ): Promise<User | 'email-taken' | undefined>
  /**
   * Of a member or an invitation; the same role again is not audited. `undefined` where there is
   * neither.
   */
  changeRole(
    by: Writer,
    changed: { id: string; role: Role },
    describe: (before: Member) => AuditEntry,
  ): Promise<Member | 'last-owner' | undefined>
  /** With their sessions; answers who it was. Withdraws an invitation. */
  removeMember(
    by: Writer,
    id: string,
    describe: (before: Member) => AuditEntry,
  ): Promise<Member | 'last-owner' | undefined>

  findMentions(organizationId: string): Promise<LegalMentions | undefined>
  /**
   * `describe` writes the audit entry from the mentions replaced; what it throws undoes all. False
   * where there is no such organization.
   */
  replaceMentions(
    by: Writer,
    mentions: LegalMentions,
    describe: (before: LegalMentions) => AuditEntry,
  ): Promise<boolean>

  /** `too-many` where the organization's live keys would be more than `max`. */
  addApiKey(
    by: Writer,
    added: { key: NewApiKey; max: number },
    audit: AuditEntry,
  ): Promise<'added' | 'too-many' | 'no-organization'>
  countLiveApiKeys(organizationId: string): Promise<number>
  /** Newest first; of more than `max`, the live ones and then the newest revoked. */
  listApiKeys(organizationId: string, max: number): Promise<ApiKey[]>
  /**
   * A key revoked before stays as it was, unaudited. `undefined` where the organization has no such
   * key.
   */
  revokeApiKey(by: Writer, apiKeyId: string, audit: AuditEntry): Promise<ApiKey | undefined>
  /**
   * On the path of every request: one look-up, by whichever of `digests` the key is kept.
   * `undefined` for a key unknown or revoked.
   */
  findHolder(digests: readonly Buffer[]): Promise<ApiKeyHolder | undefined>
  /** No one's act, so unaudited. False where no live key is kept under `from`. */
  replaceDigest(change: DigestChange): Promise<boolean>
  /** By mark; keys kept by versions that had one pepper have none. */
  countLiveApiKeysByPepper(): Promise<{ pepper: string | undefined; keys: number }[]>
  /** ISO 8601 moments by API key id. A use before the last one known changes nothing. */
  recordUses(lastUsedAtById: ReadonlyMap<string, string>): Promise<void>

  addAudit(organizationId: string, audit: AuditEntry): Promise<void>
  /** Newest first. */
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>

  /** Counted in the store: together with every other process, and over a restart. */
  countAttempts(limit: AttemptLimit): AttemptCounter

  /** What `rememberFirst` keeps for `name`, if anything. */
  remembered(name: string): Promise<string | undefined>
  /** Keeps the first value ever given for `name`, and answers it. */
  rememberFirst(name: string, value: string): Promise<string>
  /** Resolves when the store answers a query. */
  check(): Promise<void>
  close(): Promise<void>
}
