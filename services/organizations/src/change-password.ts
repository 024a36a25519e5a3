/** A new password: whoever knows the one of now may set it, and every other session ends. */

import { organizationOf } from '@einvoicing/kernel/caller'
import type { Refusal } from '@einvoicing/kernel/refusal'
import type { Call } from '@einvoicing/kernel/rpc'
import type { ChangePasswordRequest, Identity } from '@einvoicing/proto/organizations'
import { sessionOver } from './authenticate-member'
import type { Deps } from './deps'
import { identityOf } from './identity'
import { passwordFault } from './password'
import { invalid, refuseFaults } from './text-rules'

/**
 * Throws `VALIDATION_ERROR` for either password, `TOO_MANY_ATTEMPTS` as sign-in does and together
 * with it, `SESSION_INVALID`.
 */
export async function changePassword(
  deps: Deps,
  request: ChangePasswordRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<Identity> {
  const { store, passwords } = deps
  refuseFaults({ newPassword: passwordFault(request.newPassword) })
  const member = await store.findMember(organizationOf(caller), request.userId)
  if (!member) throw sessionOver()
  const { user, mentions } = member
  const passwordWasRight = deps.signInGuard(user.email, request.clientAddress)
  const matches = await passwords.matches(request.currentPassword, user.passwordHash)
  if (!matches) throw wrongPassword()
  passwordWasRight()

  const passwordHash = await passwords.hash(request.newPassword)
  const at = deps.now().toISOString()
  const audit = { at, actor: caller.actor, action: 'password.changed' }
  // Changed meanwhile: what was typed is the current password no more.
  if (!(await store.changePassword(user, passwordHash, audit))) throw wrongPassword()
  return identityOf({ ...user, passwordVersion: user.passwordVersion + 1 }, mentions)
}

function wrongPassword(): Refusal {
  return invalid([{ field: 'currentPassword', message: 'is not your password' }])
}
