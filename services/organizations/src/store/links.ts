/** What is stored of the links that are mailed, or handed over by the operator. */

/** Valid once, for the password version it was made for. */
export interface PasswordReset {
  /** SHA-256 of the token. */
  digest: Buffer
  organizationId: string
  userId: string
  passwordVersion: number
  /** ISO 8601. */
  expiresAt: string
}

/** Valid once, while the email is the user's. */
export interface EmailLink {
  /** SHA-256 of the token. */
  digest: Buffer
  organizationId: string
  userId: string
  /** Where it was sent. */
  email: string
  /** ISO 8601. */
  expiresAt: string
}
