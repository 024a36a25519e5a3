// Neither the answer nor its time shows whether the email has a user.

import { clientNetwork } from '@einvoicing/access/client-network'
import type { RequestPasswordResetRequest } from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { findEmailError, normaliseEmail } from './email'
import { checkFieldErrors } from './text-rules'

/** Throws `VALIDATION_ERROR`, `TOO_MANY_ATTEMPTS`. */
export async function requestPasswordReset(
  { store, mailer, resetGuard, log }: Deps,
  { email: typed, clientAddress }: RequestPasswordResetRequest,
): Promise<void> {
  const email = normaliseEmail(typed)
  checkFieldErrors({ email: findEmailError(email) })
  const network = clientNetwork(clientAddress)
  if (!(await resetGuard(email, network))) return
  const mail = mailer.prepare('password-reset', { to: email, network })
  if (!mail) {
    log.warn(
      { network },
      'password reset requested, but SMTP_URL is not set: no link was sent; make one with npm run admin -- accounts reset-password',
    )
    return
  }
  await store.addMail(mail)
  mailer.wake()
}
