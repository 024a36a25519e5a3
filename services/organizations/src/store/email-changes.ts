import type { AuditRecord, User, Writer } from './actors'

export type Side = 'old' | 'new'

/** Valid while the user has the email and the password of the request. */
export interface EmailChange {
  id: string
  userId: string
  organizationId: string
  from: string
  to: string
  passwordVersion: number
  confirmed: readonly Side[]
  expiresAt: string
}

export interface EmailChangeLink {
  digest: Buffer
  userId: string
  changeId: string
  side: Side
}

export interface EmailChanges {
  /** Replaces an earlier change of the user, and its links. False when it is not valid. */
  addEmailChange(by: Writer, change: EmailChange, audit: AuditRecord): Promise<boolean>
  /** `undefined` when it is not valid; may be expired. */
  findEmailChange(userId: string): Promise<EmailChange | undefined>
  cancelEmailChange(by: Writer, userId: string, audit: AuditRecord): Promise<boolean>
  addEmailChangeLink(link: EmailChangeLink, audit: AuditRecord): Promise<boolean>
  /** `undefined` once used, or when its change is not valid. */
  findEmailChangeLink(
    digest: Buffer,
  ): Promise<{ change: EmailChange; side: Side; user: User } | undefined>
  /** The second confirmation sets the email, verifies it and ends all links of the user. */
  confirmEmailChange(
    digest: Buffer,
    audits: { confirmed: AuditRecord; changed: AuditRecord },
  ): Promise<'confirmed' | 'changed' | 'email-taken' | undefined>
  /** `gone`: the user does not exist, or has another email. */
  changeEmail(
    by: Writer,
    change: { userId: string; from: string; to: string },
    audit: AuditRecord,
  ): Promise<'changed' | 'email-taken' | 'gone'>
}

export function isConfirmedByAll(change: EmailChange, side: Side): boolean {
  return change.confirmed.some((one) => one !== side)
}

export function isValidFor(
  { from, passwordVersion }: EmailChange,
  user: Pick<User, 'email' | 'passwordVersion'> | undefined,
): boolean {
  return user?.email === from && user.passwordVersion === passwordVersion
}
