import { roles, type Role } from '@einvoicing/domain/role'
import type { Call } from '@einvoicing/rpc/call'
import type {
  ChangeMemberRoleRequest,
  LeaveOrganizationRequest,
  LeftOrganization,
  Member,
  MemberId,
  MemberRole,
} from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import type { Mail } from './mail/mail'
import { continueSession, findOwnSession, toOpened, withMemberships } from './memberships'
import { prepareNotices, type NoticeDeps } from './notices'
import type { User, UserWithMentions, Writer } from './store/store'
import { toConfirmedWriter } from './writer'
import { lastOwner, memberNotFound } from '@einvoicing/domain/account-errors'

/** An invitation has a role too. Throws `MEMBER_NOT_FOUND`, `LAST_OWNER`. */
export async function changeMemberRole(
  deps: Deps,
  request: ChangeMemberRoleRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<Member> {
  const changed = { id: request.memberId, role: readRole(request.role) }
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const notices = await noticesOfRole(deps, changed, by)
  const member = await deps.store.changeRole(by, changed, (before) =>
    toAuditRecord(deps, caller, {
      action: 'member.role-changed',
      detail: `${before.email}: ${before.role} → ${changed.role}`,
      notices,
    }),
  )
  deps.mailer.wake()
  return requireMember(member)
}

/** Holds from their next request on; their keys stay. Throws `MEMBER_NOT_FOUND`, `LAST_OWNER`. */
export async function removeMember(
  deps: Deps,
  { memberId }: MemberId,
  { caller }: Pick<Call, 'caller'>,
): Promise<void> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const { organizationId, network, device } = by
  const member = await findJoined(deps, organizationId, memberId)
  const concerned = { organizationId, owners: true, network, device }
  const notices = member
    ? await prepareNotices(deps, 'member-removed', {
        ...concerned,
        to: [member.email],
        about: { email: member.email },
      })
    : []
  const removed = await deps.store.removeMember(by, { id: memberId }, (before) =>
    toAuditRecord(deps, caller, {
      action: 'member.removed',
      detail: `${before.email}, ${before.role}${before.invitationExpiresAt ? ', invited' : ''}`,
      notices,
    }),
  )
  deps.mailer.wake()
  requireMember(removed)
}

/**
 * The session goes on in another organization, and the account ends with its last one. Throws
 * `LAST_OWNER`.
 */
export async function leaveOrganization(
  deps: Deps,
  { userId, clientAddress }: LeaveOrganizationRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<LeftOrganization> {
  const by = toConfirmedWriter(deps, caller, 'READ_ONLY')
  const { user, session } = await findOwnSession(deps, userId, { caller })
  const { email } = user
  const { organizationId, network, device } = by
  const concerned = { organizationId, to: [email], owners: true, network, device }
  const notices = await prepareNotices(deps, 'member-left', { ...concerned, about: { email } })
  const next = clientAddress === '' ? undefined : await findOther(deps, user)
  const opened = next && continueSession(deps, session, next.user.organizationId)
  const entered = toAuditRecord(deps, caller, { action: 'user.switched', detail: 'entered' })
  const removed = { id: userId, opened: opened && { session: opened, audit: entered } }
  const left = await deps.store.removeMember(by, removed, ({ role }) =>
    toAuditRecord(deps, caller, { action: 'member.left', detail: `${email}, ${role}`, notices }),
  )
  deps.mailer.wake()
  requireMember(left)
  // Removed from that one meanwhile.
  if (!next || !opened || !(await deps.store.findSession(opened))) return {}
  return { identity: await withMemberships(deps, await toOpened(deps, next, opened)) }
}

/** The first other organization of a user. */
async function findOther(
  { store }: Deps,
  { id, organizationId }: User,
): Promise<UserWithMentions | undefined> {
  const all = await store.listMemberships(id)
  const other = all.find((one) => one.organizationId !== organizationId)
  return other && store.findMember(other.organizationId, id)
}

export async function noticesOfRole(
  deps: NoticeDeps,
  { id, role }: { id: string; role: Role },
  { organizationId, network, device }: Writer,
): Promise<Mail[]> {
  const member = await findJoined(deps, organizationId, id)
  if (!member || member.role === role) return []
  const { email, role: from } = member
  const about = { email, from, to: role }
  const concerned = { organizationId, to: [email], owners: true, network, device, about }
  return prepareNotices(deps, 'role-changed', concerned)
}

async function findJoined(
  { store }: NoticeDeps,
  organizationId: string,
  id: string,
): Promise<Member | undefined> {
  const members = await store.listMembers(organizationId)
  return members.find((one) => one.id === id && one.invitationExpiresAt === undefined)
}

/** An unspecified role is a defect: the gateway reads roles by name. */
export function readRole(role: MemberRole): Role {
  const found = roles.find((one) => one === role)
  if (found) return found
  throw new Error(`${role} is no role`)
}

function requireMember(member: Member | 'last-owner' | undefined): Member {
  if (member === undefined) {
    throw memberNotFound()
  }
  if (member !== 'last-owner') return member
  throw lastOwner()
}
