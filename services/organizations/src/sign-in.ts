/** An unknown email and a wrong password get the same answer in the same time. */

import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity, SignInRequest } from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { normaliseEmail } from './email'
import { toIdentity } from './identity'
import { noteFailures } from './note-failures'
import { provePassword } from './prove-password'
import { newSession } from './session'
import { prepareSignedIn } from './signed-in'
import { isEnrolled, type SecondFactors } from './second-factor/factors'
import { listFactors, offerHalf, openHalf } from './second-factor/half-open'
import type { User } from './store/store'
import { toUnverified } from './unverified'
import { credentialsInvalid } from '@einvoicing/domain/account-errors'

/** Throws `CREDENTIALS_INVALID`, `TOO_MANY_ATTEMPTS`. */
export async function signIn(
  deps: Deps,
  request: SignInRequest,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<Identity> {
  // Attempts are counted by it. One character too many already matches no user.
  const email = normaliseEmail(request.email).slice(0, limits.emailLength + 1)
  const user = await deps.store.findUser(email)
  const { password, clientAddress } = request
  const claim = { email, user, password, clientAddress, requestId }
  await provePassword(deps, claim, credentialsInvalid)
  if (!user) throw new Error('a password matched without a user')
  return noteFailures(deps, claim, async () => {
    const factors = await deps.store.findSecondFactors(user.id)
    return isEnrolled(factors)
      ? openHalfFor(deps, user, { request, factors })
      : openSessionFor(deps, user, request)
  })
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
  const { organizationId } = user
  const mentions = await store.findMentions(organizationId)
  const session = newSession(deps, user, request)
  const audit = await prepareSignedIn(deps, user, { session })
  const isOpen = await store.openSession(session, audit)
  // The user was removed or changed the password since the check.
  if (!isOpen) throw credentialsInvalid()
  if (audit.notices.length > 0) mailer.wake()
  const secondFactorMissing = await store.isSecondFactorRequired(organizationId)
  const identity = toIdentity(user, session, mentions)
  return { ...identity, secondFactorMissing, ...toUnverified(deps, user) }
}
