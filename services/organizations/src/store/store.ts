import type { AuditChains } from '@einvoicing/runtime/audit-chain'
import type { Approval } from '@einvoicing/domain/approval'
import type { Role } from '@einvoicing/domain/role'
import type { AuditPage, LegalMentions, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { ApiKey, Member } from '@einvoicing/proto/organizations'
import type { DueMail, DueMails, Mail } from '../mail/mail'
import type { SecondFactors } from '../second-factor/factors'
import type {
  ApiKeyHolder,
  DigestChange,
  ExpiringApiKey,
  ExpirySearch,
  NewApiKey,
} from './api-key-records'
import type { AuditRecord, User, Writer } from './actors'
import type { AttemptCounter, AttemptLimit } from './attempt-counter'
import type { EmailChanges } from './email-changes'
import type { EmailLink, PasswordReset } from './links'

export type { AuditRecord, User, Writer } from './actors'

export interface Membership {
  organizationId: string
  organizationName: string
  role: Role
}

/** A new user, or one with an account. */
export interface Joining {
  user: User
  session: Session
  audit: AuditRecord
  /** With an account: the most organizations it may have. */
  existing?: ExistingAccount | undefined
}

interface ExistingAccount {
  max: number
  by?: SessionWriter | undefined
  /** Absent where a session moves to the organization. */
  signedIn?: { organizationId: string; audit: AuditRecord } | undefined
}

export type SessionWriter = Writer & { session: NonNullable<Writer['session']> }

export interface UserWithMentions {
  user: User
  mentions: LegalMentions
}

export interface Session {
  id: string
  organizationId: string
  userId: string
  /** The user's when the session was opened. */
  passwordVersion: number
  network: string
  device: string
  createdAt: string
  /** To within a minute. */
  lastSeenAt: string
  /** The last proof of password or second factor. */
  confirmedAt: string
  expiresAt: string
}

export interface OpenSession extends UserWithMentions {
  session: Session
  approval: StoredApproval
  isFactorMissing: boolean
}

export interface ConfirmedSession {
  /** Of the session from then on: another one, or the same. */
  id: string
  confirmedAt: string
}

export interface SecondFactorChange {
  after: SecondFactors
  audits: readonly AuditRecord[]
  session?: Session | undefined
  /** Confirms the session of the writer. */
  confirmed?: ConfirmedSession | undefined
  endsSessions?: boolean | undefined
}

export interface Invitation {
  id: string
  organizationId: string
  /** Unique within an organization. */
  email: string
  role: Role
  digest: Buffer
  createdAt: string
  expiresAt: string
}

/** `undefined`: approved without an operator. */
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
  session?: Session | undefined
}

export interface ListedMember extends Member {
  isUnverified?: true
}

/**
 * Each write stores its audit entry and messages in the same commit, on disk before it resolves;
 * each later read sees it, in any process. Each throws `SERVICE_UNAVAILABLE`.
 */
export interface OrganizationStore extends AuditChains, EmailChanges {
  hasOrganizations(): Promise<boolean>
  addOrganization(
    organization: NewOrganization,
    audit: AuditRecord,
  ): Promise<'added' | 'email-taken'>
  /** The organization used last. Does the same work for an unknown email. */
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
  /** Ends all sessions of the user, and verifies the email. False when it is no longer valid. */
  usePasswordReset(
    digest: Buffer,
    change: { passwordHash: string },
    audit: AuditRecord,
  ): Promise<boolean>

  addEmailLink(link: EmailLink, audit: AuditRecord): Promise<void>
  /** `undefined` once used, or when its user is gone, verified, or has another email. */
  findEmailLink(digest: Buffer): Promise<{ link: EmailLink; user: User } | undefined>
  /** Ends all links of the user. False when it is no longer valid. */
  verifyEmail(digest: Buffer, audit: AuditRecord): Promise<boolean>

  /** Unverified since `before` or longer; the oldest first. */
  findUnverified(of: { before: string; skip: number; count: number }): Promise<User[]>
  /** `kept`: the organization is in use, or has no other owner. `gone`: also verified. */
  expireUnverified(
    of: { userId: string; before: string },
    audit: AuditRecord,
  ): Promise<'removed' | 'kept' | 'gone'>

  addMail(mail: Mail): Promise<void>
  /**
   * Due by `now`, links first, then organizations take turns; leased to the caller until
   * `leaseUntil`.
   */
  takeMails(due: DueMails): Promise<DueMail[]>
  /** When the one that waits longest was created, leased ones included. */
  oldestMail(): Promise<string | undefined>
  finishMail(id: string): Promise<void>
  postponeMail(id: string, change: { attempts: number; nextAttemptAt: string }): Promise<void>

  /** Ends the oldest of too many sessions. False when the user is gone or has another password. */
  openSession(session: Session, audit: AuditRecord): Promise<boolean>
  /** Runs on every request. `undefined` once ended; may be expired. */
  findSession(
    of: Pick<Session, 'id' | 'organizationId' | 'userId'>,
  ): Promise<OpenSession | undefined>
  /** False, unaudited, when it does not exist. */
  endSession(organizationId: string, sessionId: string, audit: AuditRecord): Promise<boolean>
  /** Not expired at `now`; the latest seen first. */
  listSessions(of: { userId: string; now: string }): Promise<Session[]>
  /** One session or all but `except`, in the organization of `by` or in all. Returns the count. */
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
  /** By session id. An older time than the stored one is ignored. */
  recordSeen(lastSeenAtById: ReadonlyMap<string, string>): Promise<void>

  findUserById(userId: string): Promise<User | undefined>
  /** In the order of joining. */
  listMemberships(userId: string): Promise<Membership[]>
  /** Replaces the session of `by`. False when the user is not a member there. */
  switchOrganization(
    by: SessionWriter,
    opened: Session,
    audits: { left: AuditRecord; entered: AuditRecord },
  ): Promise<boolean>
  /**
   * Joins the user that `join` returns; when it throws, nothing changes. `email-taken` also for a
   * member; `gone`: removed, or with another password than the session. `undefined` for an unknown
   * invitation.
   */
  acceptInvitation(
    digest: Buffer,
    join: (invitation: Invitation) => Joining,
  ): Promise<User | 'email-taken' | 'too-many' | 'gone' | undefined>
  findSecondFactors(userId: string): Promise<SecondFactors>
  /**
   * `change` may run more than once; when it throws or returns nothing, nothing changes. False
   * then, and when the user is gone or has another password than the opened session.
   */
  changeSecondFactors(
    by: Writer,
    userId: string,
    change: (before: SecondFactors) => SecondFactorChange | undefined,
  ): Promise<boolean>
  isSecondFactorRequired(organizationId: string): Promise<boolean>
  /** Holds from the members' next request on. No change is not audited. */
  requireSecondFactor(by: Writer, isRequired: boolean, audit: AuditRecord): Promise<void>

  /** Members, then invitations, oldest first. */
  listMembers(organizationId: string): Promise<ListedMember[]>
  /** Replaces an earlier invitation of the email. `too-many`: more than `max` with members. */
  invite(
    by: Writer,
    invited: { invitation: Invitation; max: number },
    audit: AuditRecord,
  ): Promise<Invitation | 'email-taken' | 'too-many'>
  findInvitation(digest: Buffer): Promise<Invitation | undefined>
  /** Also of an invitation. No change is not audited. `undefined` for an unknown member. */
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
  /** By id, after `after`; without closed ones. */
  listOrganizations(of: {
    approval?: Approval | undefined
    after: string
    count: number
  }): Promise<StoredOrganization[]>
  /** `taken` names another holder of the ICE. When `describe` throws, nothing changes. */
  decideApproval(
    by: Writer,
    approval: 'APPROVED' | 'SUSPENDED',
    describe: (before: StoredOrganization) => AuditRecord,
  ): Promise<'decided' | 'unknown' | { taken: string }>
  /**
   * Of those that may have issued (not `PENDING`), the approved ones first, then those that have it
   * now before those that had it: earlier invoices bear it.
   */
  listByIce(ice: string, count: number): Promise<string[]>
  /**
   * When `describe` throws, nothing changes. False for an unknown organization; `ice-taken`, where
   * `isIceChecked` or approved: another organization holds the new ICE.
   */
  replaceMentions(
    by: Writer,
    change: { mentions: LegalMentions; isIceChecked?: boolean },
    describe: (before: LegalMentions, approval: StoredApproval) => AuditRecord,
  ): Promise<boolean | 'ice-taken'>

  /** `too-many`: `max` other keys live at its `createdAt`. A key lives until it expires. */
  addApiKey(
    by: Writer,
    added: { key: NewApiKey; max: number },
    audit: AuditRecord,
  ): Promise<'added' | 'too-many' | 'no-organization'>
  /**
   * The old key expires at `until` or before; `makeKey` gets it with the end it had before its first
   * rotation. `ended` for one that has expired or was revoked, `undefined` for an unknown one.
   */
  rotateApiKey(
    by: Writer,
    rotated: { id: string; now: string; until: string; max: number },
    makeKey: (old: ApiKey) => { key: NewApiKey; audit: AuditRecord },
  ): Promise<ApiKey | 'too-many' | 'ended' | undefined>
  /** Some, soonest first: live, not announced for `days` or fewer, expire in that time. */
  findExpiringApiKeys(of: ExpirySearch): Promise<ExpiringApiKey[]>
  /** False when another process announced it. */
  announceExpiry(apiKeyId: string, days: number, mails: readonly Mail[]): Promise<boolean>
  /** Newest first; beyond `max`, those that live at `now` before expired and revoked ones. */
  listApiKeys(organizationId: string, of: { now: string; max: number }): Promise<ApiKey[]>
  /** A revoked key stays unchanged, unaudited. `undefined` for an unknown key. */
  revokeApiKey(by: Writer, apiKeyId: string, audit: AuditRecord): Promise<ApiKey | undefined>
  /** Runs on every request: one look-up for all `keys`, each by all its digests. */
  findHolders(keys: readonly (readonly Buffer[])[]): Promise<(ApiKeyHolder | undefined)[]>
  /** Not audited. False when no live key has `from`. */
  replaceDigest(change: DigestChange): Promise<boolean>
  /** By mark, without the pepper `except`; absent for keys of versions with one pepper. */
  countLiveApiKeysByPepper(of: {
    now: string
    except: string
  }): Promise<{ pepper: string | undefined; keys: number }[]>
  /** Times and networks by API key id. An older use than the stored one is ignored. */
  recordUses(
    lastUsedAtById: ReadonlyMap<string, string>,
    networkById?: ReadonlyMap<string, string>,
  ): Promise<void>

  addAudit(organizationId: string, audit: AuditRecord): Promise<void>
  /** Newest first. */
  listAudit(organizationId: string, request: ListAuditRequest): Promise<AuditPage>

  /** Shared by all processes, and kept over a restart. */
  countAttempts(limit: AttemptLimit): AttemptCounter

  remembered(name: string): Promise<string | undefined>
  /** Stores `value` unless `name` has one, and returns the stored one. */
  rememberFirst(name: string, value: string): Promise<string>
  check(): Promise<void>
  close(): Promise<void>
}
