import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Identity } from '@einvoicing/proto/organizations'
import type { Session, User } from './store/store'

export function toIdentity(
  user: User,
  session: Session,
  mentions: LegalMentions | undefined,
): Identity {
  const { organizationId, id: userId, email, role, passwordVersion } = user
  const organizationName = mentions?.name ?? ''
  const { id: sessionId, expiresAt: sessionExpiresAt } = session
  const opened = { passwordVersion, sessionId, sessionExpiresAt, secondFactors: [] }
  const who = { organizationId, organizationName, userId, email, role }
  return { ...who, ...opened, secondFactorMissing: false, memberships: [] }
}
