/** On every request: a removal or another role holds from the next one. */

import type {
  AuthenticatedMember,
  AuthenticateMemberRequest,
} from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { toUnapproved } from './approval'
import { missingMentions } from './legal-mentions'
import {
  emailNotVerified,
  secondFactorRequired,
  sessionOver,
} from '@einvoicing/domain/account-errors'
import type { Session } from './store/store'
import { toUnverified } from './unverified'

/** Written at most once a minute: a page that polls must not write each time. */
const seenAgainMs = 60_000

/** Throws `SESSION_INVALID`, `EMAIL_NOT_VERIFIED`, `SECOND_FACTOR_REQUIRED`. */
export async function authenticateMember(
  deps: Pick<Deps, 'store' | 'sightings' | 'sessionIdleMs' | 'verifiesEmail' | 'now'>,
  { organizationId, userId, passwordVersion, sessionId, ...request }: AuthenticateMemberRequest,
): Promise<AuthenticatedMember> {
  const { store, sightings, sessionIdleMs, now } = deps
  const found = await store.findSession({ id: sessionId, organizationId, userId })
  const at = now()
  if (!found || Date.parse(found.session.expiresAt) <= at.getTime()) throw sessionOver()
  const { session, user, mentions, approval } = found
  if (user.passwordVersion !== passwordVersion) throw sessionOver()
  const unseenMs = at.getTime() - Date.parse(lastSeen(sightings, session))
  if (unseenMs >= sessionIdleMs) throw sessionOver()
  // A tenth of a short idle limit, so that it is measured well too.
  if (!request.unattended && unseenMs > Math.min(seenAgainMs, sessionIdleMs / 10)) {
    sightings.note(session.id, at)
  }
  const unverified = toUnverified(deps, user)
  if (unverified.emailUnverified && !request.verifying) throw emailNotVerified()
  const { isFactorMissing: secondFactorMissing } = found
  const mayEnrol = request.enrolling || unverified.emailUnverified
  if (secondFactorMissing && !mayEnrol) throw secondFactorRequired()
  const missing = missingMentions(mentions)
  const issuer = { mentions, missing, ...toUnapproved(approval) }
  const { email, role } = user
  return { email, role, ...issuer, secondFactorMissing, ...unverified }
}

export function lastSeen(
  sightings: Deps['sightings'],
  { id, lastSeenAt }: Pick<Session, 'id' | 'lastSeenAt'>,
): string {
  const noted = sightings.noted(id)
  return noted !== undefined && noted > lastSeenAt ? noted : lastSeenAt
}
