import { checkRole } from '@einvoicing/domain/role'
import { confirmationRequired, sessionOver } from '@einvoicing/domain/account-errors'
import type { Session, User, Writer } from './store'

interface Found {
  session: Pick<Session, 'organizationId' | 'passwordVersion' | 'expiresAt' | 'confirmedAt'>
  user: Pick<User, 'passwordVersion' | 'role'>
}

/** Throws `SESSION_INVALID`, `FORBIDDEN`, `CONFIRMATION_REQUIRED`. */
export function checkWriter({ organizationId, session: by }: Writer, found?: Found): void {
  if (!by) return
  if (!found || !isOpen(found) || found.session.expiresAt <= by.at) throw sessionOver()
  if (found.session.organizationId !== organizationId) throw sessionOver()
  checkRole(found.user.role, by.role)
  if (by.confirmedSince !== undefined && found.session.confirmedAt < by.confirmedSince) {
    throw confirmationRequired()
  }
}

/** Earlier versions change a password without ending sessions. */
export function isOpen({
  session,
  user,
}: Pick<Found, 'user'> & { session: { passwordVersion: number } }): boolean {
  return session.passwordVersion === user.passwordVersion
}
