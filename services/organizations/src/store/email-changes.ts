/** A change of a user's email, until the links sent to both addresses were opened. */

import type { AuditRecord, User, Writer } from './actors'

/** The address before the change, and the one after it. */
export type Side = 'old' | 'new'

/** Valid while the user has the email and the password it was made for. */
export interface EmailChange {
  id: string
  userId: string
  /** Where it was requested. */
  organizationId: string
  from: string
  to: string
  passwordVersion: number
  confirmed: readonly Side[]
  /** ISO 8601. */
  expiresAt: string
}

export interface EmailChangeLink {
  /** SHA-256 of the token. */
  digest: Buffer
  userId: string
  changeId: string
  side: Side
}

export interface EmailChanges {
  /** Replaces an earlier one of the user, with its links. False when it is not valid. */
  addEmailChange(by: Writer, change: EmailChange, audit: AuditRecord): Promise<boolean>
  /** `undefined` when it is not valid; an expired one may still be found. */
  findEmailChange(userId: string): Promise<EmailChange | undefined>
  cancelEmailChange(by: Writer, userId: string, audit: AuditRecord): Promise<boolean>
  /** False when the change is not there. */
  addEmailChangeLink(link: EmailChangeLink, audit: AuditRecord): Promise<boolean>
  /** `undefined` once used, or when its change is not valid. */
  findEmailChangeLink(
    digest: Buffer,
  ): Promise<{ change: EmailChange; side: Side; user: User } | undefined>
  /**
   * With the second one the user has the new email, which counts as verified; outstanding links of
   * the user end, and each of their organizations has the entry. `email-taken`: nothing changes.
   */
  confirmEmailChange(
    digest: Buffer,
    audits: { confirmed: AuditRecord; changed: AuditRecord },
  ): Promise<'confirmed' | 'changed' | 'email-taken' | undefined>
  /** As the second confirmation does. `gone` when the user is not there, or has another email. */
  changeEmail(
    by: Writer,
    change: { userId: string; from: string; to: string },
    audit: AuditRecord,
  ): Promise<'changed' | 'email-taken' | 'gone'>
}

/** Before its link is opened. */
export function isConfirmedByAll(change: EmailChange, side: Side): boolean {
  return change.confirmed.some((one) => one !== side)
}

export function isValidFor(
  { from, passwordVersion }: EmailChange,
  user: Pick<User, 'email' | 'passwordVersion'> | undefined,
): boolean {
  return user?.email === from && user.passwordVersion === passwordVersion
}
