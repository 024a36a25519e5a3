/** Until the address is verified, a session can do nothing but verify it. */

import type { ApiError } from '@einvoicing/domain/api-error'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Call } from '@einvoicing/rpc/call'
import type {
  RequestEmailVerificationRequest,
  VerifiedEmail,
  VerifyEmailRequest,
} from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import { confirmEmailChange } from './confirm-email-change'
import type { Deps } from './deps'
import { findEmailError, normaliseEmail } from './email'
import type { Mail } from './mail/mail'
import { digestOneTimeToken } from './one-time-token'
import { proveAccount } from './prove-account'
import type { User } from './store/store'
import { checkFieldErrors } from './text-rules'

export function prepareVerification(
  { mailer }: Pick<Deps, 'mailer'>,
  { email: to, unverifiedSince }: User,
  { network = '' }: { network?: string | undefined },
): Mail[] {
  if (unverifiedSince === undefined) return []
  const mail = mailer.prepare('email-verification', { to, network })
  return mail ? [mail] : []
}

/** The answer and its time do not show whether the email has a user. Throws `VALIDATION_ERROR`. */
export async function requestEmailVerification(
  { store, mailer, verificationGuard, verifiesEmail }: Deps,
  { email: typed, clientAddress }: RequestEmailVerificationRequest,
): Promise<void> {
  const email = normaliseEmail(typed)
  checkFieldErrors({ email: findEmailError(email) })
  const network = clientNetwork(clientAddress)
  if (!(await verificationGuard(email, network)) || !verifiesEmail) return
  const mail = mailer.prepare('email-verification', { to: email, network })
  if (!mail) return
  await store.addMail(mail)
  mailer.wake()
}

/**
 * Needs a session or the password besides the token: a user who opens the link must not verify the
 * account of a stranger. Throws `VALIDATION_ERROR`, `TOO_MANY_ATTEMPTS`.
 */
export async function verifyEmail(
  deps: Deps,
  request: VerifyEmailRequest,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<VerifiedEmail> {
  const { store, now, tokenGuard } = deps
  const { token, clientAddress } = request
  const tokenWasRight = await tokenGuard(clientAddress)
  const digest = digestOneTimeToken(token)
  const found = await store.findEmailLink(digest)
  if (!found) {
    const presented = { digest, tokenWasRight, requestId }
    const confirmed = await confirmEmailChange(deps, request, presented)
    if (confirmed) return confirmed
  }
  if (!found || found.link.expiresAt <= now().toISOString()) throw linkOver()
  await tokenWasRight()
  await proveAccount(deps, { ...request, requestId }, found.user)
  const { email } = found.user
  const network = clientNetwork(clientAddress)
  const act = { action: 'email.verified', detail: email }
  const isVerified = await store.verifyEmail(
    digest,
    toAuditRecord(deps, { actor: `user:${email}`, network }, act),
  )
  if (!isVerified) throw linkOver()
  return { email }
}

/** One answer for a token that is unknown, used or expired. */
function linkOver(): ApiError {
  const message =
    'is not valid: it was used, is more than 24 hours old, or the address was changed since; sign in and request a new link'
  return createValidationError([{ field: 'token', message }])
}
