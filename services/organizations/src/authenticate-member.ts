/**
 * Checked on every request, so that the end of a session, a removal, another role or another
 * password holds from the next one.
 */

import type {
  AuthenticatedMember,
  AuthenticateMemberRequest,
} from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { missingMentions } from './legal-mentions'
import { sessionOver } from '@einvoicing/domain/account-errors'

// So coarse that a page which polls costs no write.
const seenAgainMs = 5 * 60_000

/** Throws `SESSION_INVALID`. */
export async function authenticateMember(
  { store, sightings, now }: Pick<Deps, 'store' | 'sightings' | 'now'>,
  { organizationId, userId, passwordVersion, sessionId }: AuthenticateMemberRequest,
): Promise<AuthenticatedMember> {
  const found = await store.findSession({ id: sessionId, organizationId, userId })
  const at = now()
  if (!found || Date.parse(found.session.expiresAt) <= at.getTime()) throw sessionOver()
  const { session, user, mentions } = found
  if (user.passwordVersion !== passwordVersion) throw sessionOver()
  const lastSeenAt = sightings.noted(session.id) ?? session.lastSeenAt
  if (at.getTime() - Date.parse(lastSeenAt) > seenAgainMs) sightings.note(session.id, at)
  return { email: user.email, role: user.role, mentions, missing: missingMentions(mentions) }
}
