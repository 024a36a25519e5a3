import { limits } from '@einvoicing/domain/limits'
import { type ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { InvitedMember, InviteMemberRequest } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { findEmailError, normaliseEmail } from './email'
import { invitationExpiry } from './invitation'
import { readRole } from './members'
import { createOneTimeToken, digestOneTimeToken } from './one-time-token'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { checkFieldErrors } from './text-rules'
import { toConfirmedWriter } from './writer'
import { emailTaken } from '@einvoicing/domain/account-errors'

/** Throws `VALIDATION_ERROR`, also at the limit of members, `EMAIL_TAKEN`, `TOO_MANY_ATTEMPTS`. */
export async function inviteMember(
  deps: Deps,
  request: InviteMemberRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<InvitedMember> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const { organizationId } = by
  const email = normaliseEmail(request.email)
  checkFieldErrors({ email: findEmailError(email) })
  const role = readRole(request.role)
  const emailWasFree = await deps.emailTakenGuard(request.clientAddress)

  const token = createOneTimeToken(deps)
  const now = deps.now()
  const at = now.toISOString()
  const digest = digestOneTimeToken(token)
  const expiresAt = invitationExpiry(now)
  const invitation = { id: deps.newId(), organizationId, email, role, digest, createdAt: at }
  const invited = { invitation: { ...invitation, expiresAt }, max: limits.membersPerOrganization }
  const audit = toAuditRecord(deps, caller, {
    action: 'member.invited',
    detail: `${email}, ${role}`,
  })
  const stored = await deps.store.invite(by, invited, audit).catch(async (error: unknown) => {
    await emailWasFree()
    throw error
  })
  if (stored === 'email-taken') throw emailTaken('This person is a member already.')
  await emailWasFree()
  if (stored === 'too-many') throw tooMany()
  const { id, createdAt } = stored
  const member = { id, email, role, createdAt, invitationExpiresAt: expiresAt }
  return { member, invitationToken: token }
}

function tooMany(): ApiError {
  const message = `cannot be invited: the organization has ${limits.membersPerOrganization} members and invitations, the maximum; remove one first`
  return createValidationError([{ field: 'email', message }])
}
