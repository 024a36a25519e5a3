import { limits } from '@einvoicing/domain/limits'
import type { ApiError } from '@einvoicing/domain/api-error'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { ResetPasswordRequest } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { prepareNotices } from './notices'
import { createOneTimeToken, digestOneTimeToken } from './one-time-token'
import { findPasswordError } from './password'
import { findNewPasswordError } from './password-strength'
import type { User } from './store/store'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { checkFieldErrors } from './text-rules'

export async function offerPasswordReset(
  { store, now, randomBytes }: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  { id: userId, organizationId, passwordVersion, email }: User,
  audit: Pick<AuditEntry, 'actor'> & { detail?: string },
): Promise<{ token: string; expiresAt: string }> {
  const token = createOneTimeToken({ randomBytes })
  const at = now()
  const expiresAt = new Date(at.getTime() + limits.passwordResetLifetimeMs).toISOString()
  await store.addPasswordReset(
    { digest: digestOneTimeToken(token), organizationId, userId, passwordVersion, expiresAt },
    { at: at.toISOString(), action: 'password.reset-offered', detail: email, ...audit },
  )
  return { token, expiresAt }
}

/** Throws `VALIDATION_ERROR` for token or password, `TOO_MANY_ATTEMPTS`. */
export async function resetPassword(
  deps: Deps,
  { token, password, clientAddress }: ResetPasswordRequest,
): Promise<void> {
  const { store, now, passwords, tokenGuard, mailer } = deps
  checkFieldErrors({ password: findPasswordError(password) })
  const tokenWasRight = await tokenGuard(clientAddress)
  const digest = digestOneTimeToken(token)
  const reset = await store.findPasswordReset(digest)
  if (!reset || reset.expiresAt <= now().toISOString()) throw tokenOver()
  await tokenWasRight()
  checkFieldErrors({ password: await findNewPasswordError(password, { email: reset.email }) })
  const network = clientNetwork(clientAddress)
  const passwordHash = await passwords.hash(password, network)
  const { organizationId, email } = reset
  const concerned = { organizationId, to: [email], isProven: true, network }
  const by = { actor: `user:${email}`, network }
  const audit = toAuditRecord(deps, by, {
    action: 'password.reset',
    detail: network,
    notices: await prepareNotices(deps, 'recovery-used', concerned),
  })
  const isUsed = await store.usePasswordReset(digest, { passwordHash }, audit)
  if (!isUsed) throw tokenOver()
  mailer.wake()
}

/** After the `#`, so that no server logs the token. */
export function toResetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/reset#token=${token}`
}

/** One answer for a token that is unknown, used, expired, or older than the password. */
function tokenOver(): ApiError {
  const message =
    'is not valid: it was used, is more than 30 minutes old, or the password was changed since; request a new link'
  return createValidationError([{ field: 'token', message }])
}
