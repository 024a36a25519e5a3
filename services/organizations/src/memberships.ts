import { sessionOver } from '@einvoicing/domain/account-errors'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type {
  Identity,
  Memberships,
  SwitchOrganizationRequest,
  UserId,
} from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { ByCaller, Deps } from './deps'
import { toIdentity } from './identity'
import { isEnrolled } from './second-factor/factors'
import type { Session, SessionWriter, User, UserWithMentions } from './store/store'
import { toUnverified } from './unverified'
import { toWriter } from './writer'

export async function listMemberships(
  { store }: Pick<Deps, 'store'>,
  { userId }: UserId,
): Promise<Memberships> {
  return { memberships: await store.listMemberships(userId) }
}

export async function withMemberships(
  { store }: Pick<Deps, 'store'>,
  identity: Identity,
): Promise<Identity> {
  if (identity.halfOpen !== undefined) return identity
  return { ...identity, memberships: await store.listMemberships(identity.userId) }
}

/** Throws `VALIDATION_ERROR` when the user is not a member there, `SESSION_INVALID`. */
export async function switchOrganization(
  deps: Deps,
  { userId, organizationId }: SwitchOrganizationRequest,
  { caller }: ByCaller,
): Promise<Identity> {
  const { store } = deps
  const left = await findOwnSession(deps, userId, { caller })
  const member = await store.findMember(organizationId, userId)
  if (!member) throw notYours()
  const session = continueSession(deps, left.session, organizationId)
  const act = (detail: string) => toAuditRecord(deps, caller, { action: 'user.switched', detail })
  const isSwitched = await store.switchOrganization(left.by, session, {
    left: act('left'),
    entered: act('entered'),
  })
  if (!isSwitched) throw notYours()
  return toOpened(deps, member, session)
}

/** The answer about a session that was opened in another organization. */
export async function toOpened(
  deps: Deps,
  { user, mentions }: UserWithMentions,
  session: Session,
): Promise<Identity> {
  const secondFactorMissing = await isFactorMissing(deps, user)
  const identity = toIdentity(user, session, mentions)
  return { ...identity, secondFactorMissing, ...toUnverified(deps, user) }
}

/** Throws `SESSION_INVALID`. */
export async function findOwnSession(
  deps: Pick<Deps, 'store' | 'now'>,
  userId: string,
  { caller }: ByCaller,
): Promise<{ by: SessionWriter; session: Session; user: User }> {
  const { session: writing, ...writer } = toWriter(deps, caller, 'READ_ONLY')
  if (!writing) throw sessionOver()
  const of = { id: writing.id, organizationId: callerOrganization(caller), userId }
  const found = await deps.store.findSession(of)
  if (!found) throw sessionOver()
  return { by: { ...writer, session: writing }, session: found.session, user: found.user }
}

/**
 * In another organization, with the age and the end of the old one, and its network and device: a
 * session is no proof that would make another network or device known.
 */
export function continueSession(
  { newId, now }: Pick<Deps, 'newId' | 'now'>,
  left: Session,
  organizationId: string,
): Session {
  return { ...left, id: newId(), organizationId, lastSeenAt: now().toISOString() }
}

export async function isFactorMissing(
  { store }: Pick<Deps, 'store'>,
  { id, organizationId }: Pick<User, 'id' | 'organizationId'>,
): Promise<boolean> {
  if (!(await store.isSecondFactorRequired(organizationId))) return false
  return !isEnrolled(await store.findSecondFactors(id))
}

function notYours() {
  const message = 'is not one of your organizations: see GET organizations'
  return createValidationError([{ field: 'organizationId', message }])
}
