import type { AuditChains } from '@einvoicing/domain/audit-chain'
import type { Approval } from '@einvoicing/domain/approval'
import type { Role } from '@einvoicing/domain/role'
import type { AuditPage, LegalMentions, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { ApiKey, Member } from '@einvoicing/proto/organizations'
import type { DueMail, Mail } from '../mail/mail'
import type { SecondFactors } from '../second-factor/factors'
import type { ApiKeyHolder, DigestChange, ExpiringApiKey, NewApiKey } from './api-key-records'
import type { AuditRecord, User, Writer } from './actors'
import type { AttemptCounter, AttemptLimit } from './attempt-counter'
import type { EmailChanges } from './email-changes'
import type { EmailLink, PasswordReset } from './links'

export type { AuditRecord, User, Writer } from './actors'

export interface Membership {
  organizationId: string
  /** The organization's current name. */
  organizationName: string
  role: Role
}

/** The user is new, or has an account already, of the same id. */
export interface Joining {
  user: User
  session: Session
  audit: AuditRecord
  /** Of an account that is there: at most so many organizations. */
  existing?: { max: number; by?: SessionWriter | undefined } | undefined
}

/** The session of `by` ends, if there is one. */
export type SessionWriter = Writer & { session: NonNullable<Writer['session']> }

/** The organization's current mentions. */
export interface UserWithMentions {
  user: User
  mentions: LegalMentions
}

/** Moments in ISO 8601. */
export interface Session {
  id: string
  organizationId: string
  userId: string
  /** The user's when the session was opened. */
  passwordVersion: number
  /** See `clientNetwork`. */
  network: string
  /** User-Agent. */
  device: string
  createdAt: string
  /** To within a minute. */
  lastSeenAt: string
  /** When its holder last proved who they are. */
  confirmedAt: string
  expiresAt: string
}

export interface OpenSession extends UserWithMentions {
  session: Session
  approval: StoredApproval
  /** The organization requires a second factor, and the user has none. */
  isFactorMissing: boolean
}

/** The id that the session has from then on, ISO 8601. */
export interface ConfirmedSession {
  id: string
  confirmedAt: string
}

/** All in one commit. */
export interface SecondFactorChange {
  after: SecondFactors
  audits: readonly AuditRecord[]
  /** Opened, as `openSession` does. */
  session?: Session | undefined
  /** Of the session of the writer. */
  confirmed?: ConfirmedSession | undefined
  /** Ends every session of the user. */
  endsSessions?: boolean | undefined
}

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

/** `undefined`: approved without an operator, as all of earlier versions. */
export type StoredApproval = Approval | undefined

export interface StoredOrganization {
  id: string
  mentions: LegalMentions
  createdAt: string
  approval: StoredApproval
}

export interface NewOrganization {
  id: string
  mentions: LegalMentions
  createdAt: string
  approval?: 'PENDING' | undefined
  user: User
  /** Absent in the demo: no user signs in. */
  session?: Session | undefined
}

/**
 * Every write stores its audit entry, and the entry's messages, in the same commit, on disk before
 * it resolves; every read begun after that sees it, in any process. Data of one organization is
 * found under that organization alone. Each throws `SERVICE_UNAVAILABLE` while the store is
 * unavailable.
 */
export interface OrganizationStore extends AuditChains, EmailChanges {
  hasOrganizations(): Promise<boolean>
  /** All three or nothing. */
  addOrganization(
    organization: NewOrganization,
    audit: AuditRecord,
  ): Promise<'added' | 'email-taken'>
  /** In the organization used last. Does the same work for an unknown email. */
  findUser(email: string): Promise<User | undefined>
  findMember(organizationId: string, userId: string): Promise<UserWithMentions | undefined>
  /** The new session replaces all others of the user. False when the password is not `seen`. */
  changePassword(
    by: Writer,
    change: { seen: User; passwordHash: string; session: Session },
    audit: AuditRecord,
  ): Promise<boolean>

  addPasswordReset(reset: PasswordReset, audit: AuditRecord): Promise<void>
  /** `undefined` once used, or when its user is gone or has another password. */
  findPasswordReset(digest: Buffer): Promise<(PasswordReset & { email: string }) | undefined>
  /** Ends every session of the user, and verifies the email. False when it is no longer valid. */
  usePasswordReset(
    digest: Buffer,
    change: { passwordHash: string },
    audit: AuditRecord,
  ): Promise<boolean>

  addEmailLink(link: EmailLink, audit: AuditRecord): Promise<void>
  /** `undefined` once used, or when its user is gone, is verified, or has another email. */
  findEmailLink(digest: Buffer): Promise<{ link: EmailLink; user: User } | undefined>
  /** Ends every link of the user. False when it is no longer valid. */
  verifyEmail(digest: Buffer, audit: AuditRecord): Promise<boolean>

  /** Unverified at `before` already; the longest ones first. */
  findUnverified(of: { before: string; skip: number; count: number }): Promise<User[]>
  /**
   * Their organization is closed when it has no other member or invitation, no API key, and its
   * name alone; its audit log stays. `kept`: it has more, or no other owner. `gone`: also verified.
   */
  expireUnverified(
    of: { userId: string; before: string },
    audit: AuditRecord,
  ): Promise<'removed' | 'kept' | 'gone'>

  addMail(mail: Mail): Promise<void>
  /** Due by `now`; others get each only after `leaseUntil`. Both ISO 8601. */
  takeMails(due: { now: string; leaseUntil: string; count: number }): Promise<DueMail[]>
  finishMail(id: string): Promise<void>
  postponeMail(id: string, change: { attempts: number; nextAttemptAt: string }): Promise<void>

  /**
   * The oldest of too many sessions ends. The network becomes a known one. False when the user is
   * gone, or has another password than the session.
   */
  openSession(session: Session, audit: AuditRecord): Promise<boolean>
  /**
   * On the path of every request by session. `undefined` once the session is ended, its user is
   * gone or has another password; an expired one may still be found.
   */
  findSession(
    of: Pick<Session, 'id' | 'organizationId' | 'userId'>,
  ): Promise<OpenSession | undefined>
  /** False, unaudited, when it is not there. */
  endSession(organizationId: string, sessionId: string, audit: AuditRecord): Promise<boolean>
  /** Those that have not expired at `now`, ISO 8601; the latest seen first. */
  listSessions(of: { userId: string; now: string }): Promise<Session[]>
  /**
   * Of one user: the one named, or all but `except`; in the organization of `by`, or everywhere.
   * How many; each organization has an entry where one ended.
   */
  endSessions(
    by: Writer,
    of: {
      userId: string
      id?: string | undefined
      except?: string | undefined
      everywhere?: boolean | undefined
    },
    audit: AuditRecord,
  ): Promise<number>
  /** The session of `by` goes on under another id, or the same. */
  confirmSession(by: Writer, confirmed: ConfirmedSession, audit: AuditRecord): Promise<void>
  /** ISO 8601 by session id. An older moment than the stored one changes nothing. */
  recordSeen(lastSeenAtById: ReadonlyMap<string, string>): Promise<void>

  findUserById(userId: string): Promise<User | undefined>
  /** In the order in which they joined. */
  listMemberships(userId: string): Promise<Membership[]>
  /**
   * Ends the session of `by`, and opens another one of the same user in another organization. False
   * when the user is not a member there.
   */
  switchOrganization(
    by: SessionWriter,
    opened: Session,
    audits: { left: AuditRecord; entered: AuditRecord },
  ): Promise<boolean>
  /**
   * The user is the one that `join` returns; when it throws, nothing changes. `email-taken` for a
   * new one whose email has an account, and for an account that is a member already; `gone` for an
   * account that was removed, or has another password than the session. `undefined` for an unknown
   * invitation.
   */
  acceptInvitation(
    digest: Buffer,
    join: (invitation: Invitation) => Joining,
  ): Promise<User | 'email-taken' | 'too-many' | 'gone' | undefined>
  /** Empty ones for a user without. */
  findSecondFactors(userId: string): Promise<SecondFactors>
  /**
   * `change` makes what is stored from what is; when it throws or returns nothing, nothing changes.
   * It may run more than once. False then, and when the user is gone or has another password than
   * the session that is opened.
   */
  changeSecondFactors(
    by: Writer,
    userId: string,
    change: (before: SecondFactors) => SecondFactorChange | undefined,
  ): Promise<boolean>
  isSecondFactorRequired(organizationId: string): Promise<boolean>
  /** Of all members, from their next request on. The same again is not audited. */
  requireSecondFactor(by: Writer, isRequired: boolean, audit: AuditRecord): Promise<void>

  /** Members, then invitations, oldest first. */
  listMembers(organizationId: string): Promise<Member[]>
  /**
   * Replaces an earlier invitation of the same email, with its id and `createdAt`. `too-many` when
   * members and invitations would be more than `max`.
   */
  invite(
    by: Writer,
    invited: { invitation: Invitation; max: number },
    audit: AuditRecord,
  ): Promise<Invitation | 'email-taken' | 'too-many'>
  findInvitation(digest: Buffer): Promise<Invitation | undefined>
  /** Of a member or an invitation; the same role again is not audited. `undefined` for neither. */
  changeRole(
    by: Writer,
    changed: { id: string; role: Role },
    describe: (before: Member) => AuditRecord,
  ): Promise<Member | 'last-owner' | undefined>
  /**
   * Also ends their sessions in this organization, or withdraws an invitation. With the last
   * organization the account ends, and its second factors. `opened`, of the same user in another
   * organization, is opened where they are a member there.
   */
  removeMember(
    by: Writer,
    removed: { id: string; opened?: { session: Session; audit: AuditRecord } | undefined },
    describe: (before: Member) => AuditRecord,
  ): Promise<Member | 'last-owner' | undefined>

  findMentions(organizationId: string): Promise<LegalMentions | undefined>
  findOrganization(organizationId: string): Promise<StoredOrganization | undefined>
  /** In the order of their ids, those after `after`; at most `count`. Without closed ones. */
  listOrganizations(of: {
    approval?: Approval | undefined
    after: string
    count: number
  }): Promise<StoredOrganization[]>
  /**
   * Approved by the operator, an organization holds its ICE alone: `taken` names another that
   * holds it, or that counts as approved and has it. `describe` may throw.
   */
  decideApproval(
    by: Writer,
    approval: 'APPROVED' | 'SUSPENDED',
    describe: (before: StoredOrganization) => AuditRecord,
  ): Promise<'decided' | 'unknown' | { taken: string }>
  /** Ids of organizations with this ICE; at most `count`. */
  listByIce(ice: string, count: number): Promise<string[]>
  /**
   * `describe` makes the audit entry from the mentions replaced; when it throws, nothing changes.
   * False for an unknown organization. `ice-taken`, where `isIceChecked` or the organization holds
   * its ICE: another one holds the new ICE.
   */
  replaceMentions(
    by: Writer,
    change: { mentions: LegalMentions; isIceChecked?: boolean },
    describe: (before: LegalMentions, approval: StoredApproval) => AuditRecord,
  ): Promise<boolean | 'ice-taken'>

  /** `too-many` when the live keys would be more than `max`. */
  addApiKey(
    by: Writer,
    added: { key: NewApiKey; max: number },
    audit: AuditRecord,
  ): Promise<'added' | 'too-many' | 'no-organization'>
  /**
   * The old key expires at `until` unless it does before. `undefined` for one that is unknown,
   * revoked or expired.
   */
  rotateApiKey(
    by: Writer,
    rotated: { id: string; now: string; until: string; max: number },
    makeKey: (old: ApiKey) => { key: NewApiKey; audit: AuditRecord },
  ): Promise<ApiKey | 'too-many' | undefined>
  /** Live ones that expire after `now` and within the days, and were not announced so late. */
  findExpiringApiKeys(of: { now: string; until: string; days: number }): Promise<ExpiringApiKey[]>
  /** False when another process did. */
  announceExpiry(apiKeyId: string, days: number, mails: readonly Mail[]): Promise<boolean>
  countLiveApiKeys(organizationId: string): Promise<number>
  /** Newest first; of more than `max`, the live ones and then the newest revoked. */
  listApiKeys(organizationId: string, max: number): Promise<ApiKey[]>
  /** Revoking again changes nothing, unaudited. `undefined` for an unknown key. */
  revokeApiKey(by: Writer, apiKeyId: string, audit: AuditRecord): Promise<ApiKey | undefined>
  /**
   * On the path of every request: one look-up for all `keys`, each by all its digests. `undefined`
   * for a key unknown or revoked.
   */
  findHolders(keys: readonly (readonly Buffer[])[]): Promise<(ApiKeyHolder | undefined)[]>
  /** Unaudited: no user's act. False when no live key is stored under `from`. */
  replaceDigest(change: DigestChange): Promise<boolean>
  /** By mark; absent for keys of versions with one pepper. */
  countLiveApiKeysByPepper(): Promise<{ pepper: string | undefined; keys: number }[]>
  /**
   * ISO 8601, and the network, by API key id. An older use than the stored one changes nothing.
   */
  recordUses(
    lastUsedAtById: ReadonlyMap<string, string>,
    networkById?: ReadonlyMap<string, string>,
  ): Promise<void>

  addAudit(organizationId: string, audit: AuditRecord): Promise<void>
  /** Newest first. */
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>

  /** Counted in the store: together with every other process, and over a restart. */
  countAttempts(limit: AttemptLimit): AttemptCounter

  /** The value of `rememberFirst` for `name`. */
  remembered(name: string): Promise<string | undefined>
  /** Stores `value` unless `name` has one already, and returns the stored one. */
  rememberFirst(name: string, value: string): Promise<string>
  /** Resolves when the store answers a query. */
  check(): Promise<void>
  close(): Promise<void>
}
