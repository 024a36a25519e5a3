/** What a user, or an owner for a member, may end; and the proof that it is still the user. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { memberNotFound, sessionNotFound, sessionOver } from '@einvoicing/domain/account-errors'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type {
  ConfirmSessionRequest,
  EndedSessions,
  EndSessionsRequest,
  ListSessionsRequest,
  MemberId,
  Sessions,
} from '@einvoicing/proto/organizations'
import { lastSeen } from './authenticate-member'
import type { Deps } from './deps'
import { provePassword } from './prove-password'
import { toWriter } from './writer'

type ByCaller = Pick<Call, 'caller'>

export async function listSessions(
  { store, sightings, sessionIdleMs, now }: Deps,
  { userId }: ListSessionsRequest,
  { caller }: ByCaller,
): Promise<Sessions> {
  const at = now()
  const usedSince = new Date(at.getTime() - sessionIdleMs).toISOString()
  const of = { organizationId: callerOrganization(caller), userId, now: at.toISOString() }
  const stored = await store.listSessions(of)
  const sessions = stored
    .map(({ id, createdAt, network, device, ...session }) => ({
      id,
      createdAt,
      lastSeenAt: lastSeen(sightings, { id, ...session }),
      network,
      device,
      current: id === caller.sessionId,
    }))
    .filter(({ lastSeenAt }) => lastSeenAt > usedSince)
  return { sessions }
}

/** Throws `SESSION_NOT_FOUND` for one that is not open, or another user's. */
export async function endSessions(
  deps: Deps,
  { userId, sessionId }: EndSessionsRequest,
  { caller }: ByCaller,
): Promise<EndedSessions> {
  const by = toWriter(deps, caller, 'READ_ONLY')
  const which = sessionId === undefined ? { except: by.session?.id } : { id: sessionId }
  const count = await deps.store.endSessions(
    by,
    { userId, ...which },
    {
      at: deps.now().toISOString(),
      actor: caller.actor,
      action: 'session.ended',
      detail: sessionId ?? 'all others',
    },
  )
  if (sessionId !== undefined && count === 0) throw sessionNotFound()
  return { count }
}

/** Throws `MEMBER_NOT_FOUND`. */
export async function endMemberSessions(
  deps: Deps,
  { memberId }: MemberId,
  { caller }: ByCaller,
): Promise<EndedSessions> {
  const { store, now } = deps
  const by = toWriter(deps, caller, 'OWNER')
  const member = await store.findMember(by.organizationId, memberId)
  if (!member) throw memberNotFound()
  const count = await store.endSessions(
    by,
    { userId: memberId },
    {
      at: now().toISOString(),
      actor: caller.actor,
      action: 'session.ended',
      detail: `${member.user.email}: all`,
    },
  )
  return { count }
}

/** Throws `VALIDATION_ERROR` for a wrong password, counted with those of sign-in. */
export async function confirmSession(
  deps: Deps,
  { userId, password, clientAddress }: ConfirmSessionRequest,
  { caller }: ByCaller,
): Promise<void> {
  const { store, now } = deps
  const by = toWriter(deps, caller, 'READ_ONLY')
  const member = await store.findMember(by.organizationId, userId)
  if (!member) throw sessionOver()
  const { email, passwordHash } = member.user
  const network = clientNetwork(clientAddress)
  // A session is proof of a known network.
  const claim = { email, clientAddress, knownNetworks: [network], password, passwordHash }
  await provePassword(deps, claim, () =>
    createValidationError([{ field: 'password', message: 'is not your password' }]),
  )
  await store.confirmSession(by, {
    at: now().toISOString(),
    actor: caller.actor,
    action: 'user.confirmed',
    detail: network,
  })
}
