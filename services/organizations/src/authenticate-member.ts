/**
 * Every request by session begins here: whether who signed in is still a member, with which role,
 * and what the organization's invoices say of it.
 *
 * Asked each time, so that a removal, another role or another password holds from the very next
 * request.
 */

import { Refusal } from '@einvoicing/kernel/refusal'
import type {
  AuthenticatedMember,
  AuthenticateMemberRequest,
} from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { missingMentions } from './legal-mentions'

/** Throws `SESSION_INVALID`. */
export async function authenticateMember(
  { store }: Pick<Deps, 'store'>,
  { organizationId, userId, passwordVersion }: AuthenticateMemberRequest,
): Promise<AuthenticatedMember> {
  const member = await store.findMember(organizationId, userId)
  if (member?.user.passwordVersion !== passwordVersion) throw sessionOver()
  const { user, mentions } = member
  return { email: user.email, role: user.role, mentions, missing: missingMentions(mentions) }
}

/** Which of its ends a session met is nobody's business but the member's, who knows. */
export function sessionOver(): Refusal {
  return new Refusal('SESSION_INVALID', 'Your session is over. Sign in again.')
}
