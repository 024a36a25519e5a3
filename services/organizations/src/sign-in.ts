/** An unknown email and a wrong password get the same answer in the same time. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity, SignInRequest } from '@einvoicing/proto/organizations'
import { Counter } from 'prom-client'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { normaliseEmail } from './email'
import { toIdentity } from './identity'
import { prepareNotices } from './notices'
import { provePassword } from './prove-password'
import { describeClient, isNewClient, newSession } from './session'
import { isEnrolled, type SecondFactors } from './second-factor/factors'
import { listFactors, offerHalf, openHalf } from './second-factor/half-open'
import type { User } from './store/store'
import { toUnverified } from './unverified'
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
  // Attempts are counted by it. One character too many already matches no user.
  const email = normaliseEmail(request.email).slice(0, limits.emailLength + 1)
  const user = await deps.store.findUser(email)
  try {
    const proven = await proveUser(deps, request, { email, user })
    const factors = await deps.store.findSecondFactors(proven.id)
    if (isEnrolled(factors)) return await openHalfFor(deps, proven, { request, factors })
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

type HalfRequest = Pick<SignInRequest, 'origin'>

export async function openHalfFor(
  deps: Deps,
  user: User,
  { request: { origin = '' }, factors }: { request: HalfRequest; factors: SecondFactors },
): Promise<Identity> {
  const token = await openHalf(deps, user)
  const { id: userId, organizationId, email, role, passwordVersion } = user
  const who = { userId, organizationId, email, role, passwordVersion, organizationName: '' }
  return {
    ...who,
    sessionId: '',
    sessionExpiresAt: '',
    secondFactorMissing: false,
    memberships: [],
    halfOpen: token,
    secondFactors: listFactors(factors),
    passkeyOptions: await offerHalf(deps, { token, origin }, factors),
  }
}

async function openSessionFor(deps: Deps, user: User, request: SignInRequest): Promise<Identity> {
  const { store, mailer } = deps
  const { organizationId, email } = user
  const mentions = await store.findMentions(organizationId)
  const session = newSession(deps, user, request)
  const { network, device } = session
  const concerned = { organizationId, to: [email], network, device }
  const isNew = isNewClient(user, session)
  const by = { actor: `user:${email}`, network, device }
  const audit = toAuditRecord(deps, by, {
    action: 'user.signed-in',
    detail: describeClient(session),
    notices: isNew ? await prepareNotices(deps, 'new-device', concerned) : [],
  })
  const isOpen = await store.openSession(session, audit)
  // The user was removed or changed the password since the check.
  if (!isOpen) throw credentialsInvalid()
  if (isNew) mailer.wake()
  const secondFactorMissing = await store.isSecondFactorRequired(organizationId)
  const identity = toIdentity(user, session, mentions)
  return { ...identity, secondFactorMissing, ...toUnverified(deps, user) }
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
