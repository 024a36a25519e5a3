import {
  credentialsInvalid,
  emailNotVerified,
  emailTaken,
  invitationNotFound,
} from '@einvoicing/domain/account-errors'
import type { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Call } from '@einvoicing/rpc/call'
import type { AcceptInvitationRequest, Identity } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { toIdentity } from './identity'
import type { Mail } from './mail/mail'
import { continueSession, findOwnSession, isFactorMissing } from './memberships'
import { provePassword } from './prove-password'
import { isEnrolled } from './second-factor/factors'
import { newSession } from './session'
import { prepareSignedIn } from './signed-in'
import { toUnverified } from './unverified'
import { openHalfFor } from './sign-in'
import type { Invitation, Session, SessionWriter, User } from './store/store'

interface Accepting {
  request: AcceptInvitationRequest
  invitation: Invitation
  notices: Mail[]
}

/** Throws `VALIDATION_ERROR` when the account has another email than the invitation. */
export async function joinBySession(
  deps: Deps,
  accepting: Accepting,
  { caller }: Pick<Call, 'caller'>,
): Promise<Identity> {
  const { request, invitation } = accepting
  const { by, session, user } = await findOwnSession(deps, request.userId ?? '', { caller })
  if (user.email !== invitation.email) throw anotherEmail(invitation.email)
  return join(deps, accepting, { user, by, left: session })
}

/**
 * Throws `CREDENTIALS_INVALID`, `TOO_MANY_ATTEMPTS` (counted with sign-in), `EMAIL_NOT_VERIFIED`.
 */
export async function joinByPassword(
  deps: Deps,
  accepting: Accepting,
  { user, requestId }: { user: User } & Pick<Call, 'requestId'>,
): Promise<Identity> {
  const { request } = accepting
  const { password, clientAddress } = request
  const claim = { email: user.email, user, password, clientAddress, requestId }
  await provePassword(deps, claim, credentialsInvalid)
  // A user who signed up with an email of others must not get its invitations.
  if (toUnverified(deps, user).emailUnverified) throw emailNotVerified()
  const factors = await deps.store.findSecondFactors(user.id)
  if (isEnrolled(factors)) return openHalfFor(deps, user, { request, factors })
  return join(deps, accepting, { user })
}

interface Joiner {
  user: User
  by?: SessionWriter
  left?: Session
}

async function join(
  deps: Deps,
  { request, invitation: { digest, organizationId }, notices }: Accepting,
  { user: account, by, left }: Joiner,
): Promise<Identity> {
  const { store, mailer } = deps
  const fresh = newSession(deps, { ...account, organizationId }, request)
  const session = left ? continueSession(deps, left, organizationId) : fresh
  const { network, device } = fresh
  const entry = left ? undefined : await prepareSignedIn(deps, account, { session })
  const signedIn = entry && { organizationId: account.organizationId, audit: entry }
  const joined = await store.acceptInvitation(digest, ({ role, expiresAt }) => {
    const createdAt = deps.now().toISOString()
    if (createdAt >= expiresAt) throw invitationNotFound()
    const user = { ...account, organizationId, role, createdAt }
    const act = { action: 'member.joined', detail: role, notices }
    const audit = toAuditRecord(deps, { actor: `user:${user.email}`, network, device }, act)
    return { user, session, audit, existing: { max: limits.membershipsPerUser, by, signedIn } }
  })
  if (typeof joined === 'string') throw problems[joined]()
  if (!joined) throw invitationNotFound()
  mailer.wake()
  const identity = toIdentity(joined, session, await store.findMentions(organizationId))
  return { ...identity, secondFactorMissing: await isFactorMissing(deps, joined) }
}

const problems = {
  'email-taken': () => emailTaken('You are already a member of this organization: sign in.'),
  'too-many': () =>
    createValidationError([
      {
        field: 'token',
        message: `cannot be accepted: you are a member of ${limits.membershipsPerUser} organizations, the maximum; leave one first`,
      },
    ]),
  // The user was removed or changed the password since the check.
  gone: credentialsInvalid,
} satisfies Record<string, () => ApiError>

function anotherEmail(email: string): ApiError {
  const message = `is for ${email}: sign out, and accept it with that account`
  return createValidationError([{ field: 'token', message }])
}
