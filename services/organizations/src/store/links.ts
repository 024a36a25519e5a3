/** Valid once, for the password version it was made for. */
export interface PasswordReset {
  digest: Buffer
  organizationId: string
  userId: string
  passwordVersion: number
  expiresAt: string
}

/** Valid once, while the user has this email. */
export interface EmailLink {
  digest: Buffer
  organizationId: string
  userId: string
  email: string
  /** ISO 8601. */
  expiresAt: string
}
