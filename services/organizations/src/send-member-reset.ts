import { memberNotFound, tooManyAttempts } from '@einvoicing/domain/account-errors'
import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Call } from '@einvoicing/rpc/call'
import type { SendMemberResetRequest } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { findOwnSession } from './memberships'
import { checkWriter } from './store/writer-check'
import { toConfirmedWriter } from './writer'

/** Throws `MEMBER_NOT_FOUND`, `VALIDATION_ERROR` where no mail is sent, `TOO_MANY_ATTEMPTS`. */
export async function sendMemberReset(
  deps: Deps,
  { userId, memberId, clientAddress }: SendMemberResetRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<void> {
  const { store, mailer, resetGuard } = deps
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const { organizationId } = by
  const { user, session } = await findOwnSession(deps, userId, { caller })
  // Only adds a message, so the commit does not check the writer again.
  checkWriter(by, { user, session })
  const member = await store.findMember(organizationId, memberId)
  if (!member) throw memberNotFound()
  const { email: to } = member.user
  const network = clientNetwork(clientAddress)
  const about = { owner: user.email, organization: member.mentions.name }
  const mail = mailer.prepare('password-reset', { to, network, about })
  if (!mail) throw noMail()
  // Counted with requests for the same address.
  if (!(await resetGuard(to, network))) throw tooManyAttempts(limits.wrongPasswordsWindowMs)
  const act = { action: 'password.reset-requested', detail: to, notices: [mail] }
  await store.addAudit(organizationId, toAuditRecord(deps, caller, act))
  mailer.wake()
}

function noMail() {
  const message =
    'cannot get a link, because this service sends no email: ask its operator for a password link'
  return createValidationError([{ field: 'email', message }])
}
