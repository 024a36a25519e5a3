import type { Role } from '@einvoicing/domain/role'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { Mail } from '../mail/mail'

/** A member of one of their organizations. */
export interface User {
  id: string
  /** The one used last, where no other is named. */
  organizationId: string
  /** Unique over all organizations. */
  email: string
  passwordHash: string
  passwordVersion: number
  role: Role
  createdAt: string
  /** The latest first; devices as `deviceKind` returns them. */
  knownNetworks: readonly string[]
  knownDevices: readonly string[]
  /** Absent: verified, or created without verification. */
  unverifiedSince?: string | undefined
}

/** The messages are stored in the same commit. */
export interface AuditRecord extends AuditEntry {
  notices?: readonly Mail[] | undefined
}

/** With `session`, a write throws `SESSION_INVALID`, `FORBIDDEN`, `CONFIRMATION_REQUIRED`. */
export interface Writer {
  organizationId: string
  actor: string
  network?: string | undefined
  device?: string | undefined
  session?: { id: string; role: Role; at: string; confirmedSince?: string } | undefined
}
