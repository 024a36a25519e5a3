/** An unknown email and a wrong password get the same answer in the same time. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity, SignInRequest } from '@einvoicing/proto/organizations'
import { Counter } from 'prom-client'
import type { Deps } from './deps'
import { normaliseEmail } from './email'
import { toIdentity } from './identity'
import { provePassword } from './prove-password'
import { describeClient, newSession } from './session'
import type { User } from './store/store'
import { credentialsInvalid } from '@einvoicing/domain/account-errors'

const failures = new Counter({
  name: 'einvoicing_sign_in_failures_total',
  help: 'Failed sign-ins to the dashboard, by error code',
  labelNames: ['code'] as const,
  registers: [metrics],
})

/** Throws `CREDENTIALS_INVALID`, `TOO_MANY_ATTEMPTS`. */
export async function signIn(
  deps: Deps,
  request: SignInRequest,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<Identity> {
  // Cut, because attempts are counted by it: one character too long already matches no user.
  const email = normaliseEmail(request.email).slice(0, limits.emailLength + 1)
  const user = await deps.store.findUser(email)
  try {
    const proven = await proveUser(deps, request, { email, user })
    return await openSessionFor(deps, proven, request)
  } catch (error) {
    if (error instanceof ApiError) noteFailure(deps, error, { request, requestId, user })
    throw error
  }
}

interface Claimed {
  email: string
  user: User | undefined
}

async function proveUser(
  deps: Deps,
  { password, clientAddress }: SignInRequest,
  { email, user }: Claimed,
): Promise<User> {
  const { knownNetworks = [], passwordHash } = user ?? {}
  const claim = { email, clientAddress, knownNetworks, password, passwordHash }
  await provePassword(deps, claim, credentialsInvalid)
  if (!user) throw new Error('a password matched without a user')
  return user
}

async function openSessionFor(deps: Deps, user: User, request: SignInRequest): Promise<Identity> {
  const { store } = deps
  const mentions = await store.findMentions(user.organizationId)
  const session = newSession(deps, user, request)
  const isOpen = await store.openSession(session, {
    at: session.createdAt,
    actor: `user:${user.email}`,
    action: 'user.signed-in',
    detail: describeClient(session),
  })
  // Removed, or given another password, since the check.
  if (!isOpen) throw credentialsInvalid()
  return toIdentity(user, session, mentions)
}

interface Failed {
  request: SignInRequest
  requestId: string
  user: User | undefined
}

/** An unknown email is not logged: it may be a password in the wrong field. */
function noteFailure(
  { failedSignIns, log }: Deps,
  { code }: ApiError,
  { request, requestId, user }: Failed,
): void {
  failures.inc({ code })
  if (code === 'SERVICE_UNAVAILABLE') return
  const network = clientNetwork(request.clientAddress)
  const { id: userId, organizationId } = user ?? {}
  log.warn({ requestId, code, network, userId, organizationId }, 'sign-in failed')
  if (user) failedSignIns.note(user, network)
}
