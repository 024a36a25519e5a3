import { roles, type Role } from '@einvoicing/domain/role'
import type { Call } from '@einvoicing/rpc/call'
import type {
  ChangeMemberRoleRequest,
  Member,
  MemberId,
  MemberRole,
} from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { toConfirmedWriter } from './writer'
import { lastOwner, memberNotFound } from '@einvoicing/domain/account-errors'

/** Also of an invitation. Throws `MEMBER_NOT_FOUND`, `LAST_OWNER`. */
export async function changeMemberRole(
  deps: Deps,
  request: ChangeMemberRoleRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<Member> {
  const changed = { id: request.memberId, role: readRole(request.role) }
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const member = await deps.store.changeRole(by, changed, (before) => ({
    at: deps.now().toISOString(),
    actor: caller.actor,
    action: 'member.role-changed',
    detail: `${before.email}: ${before.role} → ${changed.role}`,
  }))
  return foundOrRefused(member)
}

/** Holds from their next request on; their keys stay. Throws `MEMBER_NOT_FOUND`, `LAST_OWNER`. */
export async function removeMember(
  deps: Deps,
  { memberId }: MemberId,
  { caller }: Pick<Call, 'caller'>,
): Promise<void> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const removed = await deps.store.removeMember(by, memberId, (before) => ({
    at: deps.now().toISOString(),
    actor: caller.actor,
    action: 'member.removed',
    detail: `${before.email}, ${before.role}${before.invitationExpiresAt ? ', invited' : ''}`,
  }))
  foundOrRefused(removed)
}

/** The gateway reads roles by name, so an unspecified one is a defect. */
export function readRole(role: MemberRole): Role {
  const found = roles.find((one) => one === role)
  if (found) return found
  throw new Error(`${role} is no role`)
}

function foundOrRefused(member: Member | 'last-owner' | undefined): Member {
  if (member === undefined) {
    throw memberNotFound()
  }
  if (member !== 'last-owner') return member
  throw lastOwner()
}
