import { clientNetwork } from '@einvoicing/access/client-network'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { ChangePasswordRequest, Identity } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { toIdentity } from './identity'
import { prepareNotices } from './notices'
import { findPasswordError } from './password'
import { findNewPasswordError } from './password-strength'
import { provePassword } from './prove-password'
import { sessionOver } from '@einvoicing/domain/account-errors'
import { describeClient, newSession } from './session'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { checkFieldErrors } from './text-rules'
import { toWriter } from './writer'

export async function changePassword(
  deps: Deps,
  request: ChangePasswordRequest,
  { caller, requestId }: Pick<Call, 'caller' | 'requestId'>,
): Promise<Identity> {
  const { store, passwords } = deps
  checkFieldErrors({ newPassword: findPasswordError(request.newPassword) })
  const by = toWriter(deps, caller, 'READ_ONLY')
  const member = await store.findMember(callerOrganization(caller), request.userId)
  if (!member) throw sessionOver()
  const { user, mentions } = member
  const { email } = user
  const owner = { email, organizationName: mentions.name }
  checkFieldErrors({ newPassword: await findNewPasswordError(request.newPassword, owner) })
  const { currentPassword: password, clientAddress } = request
  await provePassword(deps, { email, user, password, clientAddress, requestId }, wrongPassword)

  const network = clientNetwork(clientAddress)
  const passwordHash = await passwords.hash(request.newPassword, network)
  const changed = { ...user, passwordVersion: user.passwordVersion + 1 }
  const session = newSession(deps, changed, request)
  const { organizationId } = by
  const { device } = session
  const concerned = { organizationId, to: [email], network, device }
  const audit = toAuditRecord(deps, caller, {
    action: 'password.changed',
    detail: describeClient(session),
    notices: await prepareNotices(deps, 'password-changed', concerned),
  })
  const change = { seen: user, passwordHash, session }
  // The password was changed in the meantime.
  if (!(await store.changePassword(by, change, audit))) throw wrongPassword()
  deps.mailer.wake()
  return toIdentity(changed, session, mentions)
}

function wrongPassword(): ApiError {
  return createValidationError([{ field: 'currentPassword', message: 'is not your password' }])
}
