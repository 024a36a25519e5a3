/** Who has an account, who writes, and what the audit log keeps of it. */

import type { Role } from '@einvoicing/domain/role'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { Mail } from '../mail/mail'

/** A person, as a member of one of their organizations. */
export interface User {
  id: string
  /** Where no other is named: the one they used last. */
  organizationId: string
  /** Normalised; unique over all organizations. */
  email: string
  /** Argon2id, in the PHC format. */
  passwordHash: string
  /** Number of changes. */
  passwordVersion: number
  /** OWNER when stored by an earlier version, without roles. */
  role: Role
  createdAt: string
  /** The latest first; devices see `deviceKind`. */
  knownNetworks: readonly string[]
  knownDevices: readonly string[]
  /** ISO 8601; absent: the email is verified, or was never asked to be. */
  unverifiedSince?: string | undefined
}

/** An entry, and the messages that are stored in its commit. */
export interface AuditRecord extends AuditEntry {
  notices?: readonly Mail[] | undefined
}

/**
 * With a session, the writing transaction checks that the session is open, its user has the role
 * and was confirmed since, and throws `SESSION_INVALID`, `FORBIDDEN` or `CONFIRMATION_REQUIRED`;
 * without one the operator writes.
 */
export interface Writer {
  organizationId: string
  actor: string
  /** Of the client, for the audit log. */
  network?: string | undefined
  device?: string | undefined
  session?: { id: string; role: Role; at: string; confirmedSince?: string } | undefined
}
