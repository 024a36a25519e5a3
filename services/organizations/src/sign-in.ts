/**
 * How a user of the dashboard proves to be one. An unknown email and a wrong password are told
 * apart by nobody.
 */

import { limits } from '@einvoicing/kernel/limits'
import { metrics } from '@einvoicing/kernel/metrics'
import { Refusal } from '@einvoicing/kernel/refusal'
import type { Identity, SignInRequest } from '@einvoicing/proto/organizations'
import { Counter } from 'prom-client'
import type { Deps } from './deps'
import { normaliseEmail } from './email'
import { identityOf } from './identity'
import { describeClient, newSession } from './session'

const failures = new Counter({
  name: 'einvoicing_sign_in_failures_total',
  help: 'Sign-ins to the dashboard that failed, by what they were answered',
  labelNames: ['code'] as const,
  registers: [metrics],
})

/** Throws `CREDENTIALS_INVALID`, `TOO_MANY_ATTEMPTS`. */
export async function signIn(deps: Deps, request: SignInRequest): Promise<Identity> {
  try {
    return await identify(deps, request)
  } catch (error) {
    if (error instanceof Refusal) failures.inc({ code: error.code })
    throw error
  }
}

async function identify(deps: Deps, request: SignInRequest): Promise<Identity> {
  const { store, passwords } = deps
  // Cut, for it is kept in memory to count attempts: one character too long is already nobody's.
  const email = normaliseEmail(request.email).slice(0, limits.emailLength + 1)
  const passwordWasRight = deps.signInGuard(email, request.clientAddress)

  const user = await store.findUser(email)
  const matches = await passwords.matches(request.password, user?.passwordHash)
  if (!user || !matches) throw credentialsInvalid()

  passwordWasRight()
  const mentions = await store.findMentions(user.organizationId)
  const session = newSession(deps, user, request)
  const isOpen = await store.openSession(session, {
    at: session.createdAt,
    actor: `user:${email}`,
    action: 'user.signed-in',
    detail: describeClient(session),
  })
  // Removed, or given another password, since it was looked at.
  if (!isOpen) throw credentialsInvalid()
  return identityOf(user, session, mentions)
}

function credentialsInvalid(): Refusal {
  return new Refusal(
    'CREDENTIALS_INVALID',
    'The email or the password is not right; try both again.',
  )
}
