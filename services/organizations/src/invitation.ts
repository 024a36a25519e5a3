/** The inviter hands over its token. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import type {
  AcceptInvitationRequest,
  Identity,
  Invitation,
  ReadInvitationRequest,
} from '@einvoicing/proto/organizations'
import type { Call } from '@einvoicing/rpc/call'
import { limitProbes } from './attempt-guards'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { toIdentity } from './identity'
import { joinByPassword, joinBySession } from './join-organization'
import type { Mail } from './mail/mail'
import { prepareNotices } from './notices'
import { digestOneTimeToken } from './one-time-token'
import { findPasswordError } from './password'
import { findNewPasswordError } from './password-strength'
import { newSession, type Client } from './session'
import type { Invitation as KeptInvitation, Session, User } from './store/store'
import { checkFieldErrors } from './text-rules'
import { startUnverified, toUnverified } from './unverified'
import { prepareVerification } from './verify-email'
import { invitationNotFound, emailTaken } from '@einvoicing/domain/account-errors'

export function invitationExpiry(now: Date): string {
  return new Date(now.getTime() + limits.invitationLifetimeMs).toISOString()
}

/** Throws `INVITATION_NOT_FOUND`, `TOO_MANY_ATTEMPTS`. */
export async function readInvitation(
  deps: Deps,
  request: ReadInvitationRequest,
): Promise<Invitation> {
  const { organizationId, email, role, expiresAt } = await findInvitation(deps, request)
  const mentions = await deps.store.findMentions(organizationId)
  return { organizationName: mentions?.name ?? '', email, role, expiresAt }
}

/** Throws `INVITATION_NOT_FOUND`, `EMAIL_TAKEN`, and what joining throws. */
export async function acceptInvitation(
  deps: Deps,
  request: AcceptInvitationRequest,
  { caller, requestId }: Pick<Call, 'caller' | 'requestId'>,
): Promise<Identity> {
  const isSignedIn = request.userId !== undefined
  if (!isSignedIn) checkFieldErrors({ password: findPasswordError(request.password) })
  const invitation = await findInvitation(deps, request)
  const notices = await noticesOfJoining(deps, invitation, request)
  const accepting = { request, invitation, notices }
  if (isSignedIn) return joinBySession(deps, accepting, { caller })
  return limitProbes(deps.emailTakenGuard, request.clientAddress, async () => {
    const user = await deps.store.findUser(invitation.email)
    return user
      ? joinByPassword(deps, accepting, { user, requestId })
      : joinAsNewUser(deps, request, { invitation, notices })
  })
}

async function joinAsNewUser(
  deps: Deps,
  request: AcceptInvitationRequest,
  { invitation, notices }: { invitation: KeptInvitation; notices: Mail[] },
): Promise<Identity> {
  const { store } = deps
  const { organizationId, email, digest } = invitation
  checkFieldErrors({ password: await findNewPasswordError(request.password, { email }) })
  const network = clientNetwork(request.clientAddress)
  const passwordHash = await deps.passwords.hash(request.password, network)
  const joining = { passwordHash, client: request, notices }
  let session: Session | undefined
  const joined = await store.acceptInvitation(digest, (found) => {
    const member = join(deps, found, joining)
    session = member.session
    return member
  })
  // The email signed up in the meantime.
  if (typeof joined === 'string') throw emailTaken('Accept the invitation with its password.')
  if (!joined || !session) throw invitationNotFound()
  deps.mailer.wake()
  const identity = toIdentity(joined, session, await store.findMentions(organizationId))
  const secondFactorMissing = await store.isSecondFactorRequired(organizationId)
  return { ...identity, secondFactorMissing, ...toUnverified(deps, joined) }
}

async function findInvitation(
  { store, now, tokenGuard }: Deps,
  { token, clientAddress }: Pick<ReadInvitationRequest, 'token' | 'clientAddress'>,
): Promise<KeptInvitation> {
  const tokenWasRight = await tokenGuard(clientAddress)
  const found = await store.findInvitation(digestOneTimeToken(token))
  if (!found) throw invitationNotFound()
  await tokenWasRight()
  rejectExpired(found, now())
  return found
}

interface Joining {
  passwordHash: string
  client: Client
  notices: Mail[]
}

function join(deps: Deps, invitation: KeptInvitation, { passwordHash, client, notices }: Joining) {
  const now = deps.now()
  rejectExpired(invitation, now)
  const { organizationId, email, role } = invitation
  const at = now.toISOString()
  const user: User = {
    id: deps.newId(),
    organizationId,
    email,
    passwordHash,
    passwordVersion: 0,
    role,
    createdAt: at,
    knownNetworks: [],
    knownDevices: [],
    ...startUnverified(deps, at),
  }
  const session = newSession(deps, user, client)
  const { network, device } = session
  const verification = prepareVerification(deps, user, { network })
  const act = { action: 'member.joined', detail: role, notices: [...notices, ...verification] }
  const audit = toAuditRecord(deps, { actor: `user:${email}`, network, device }, act)
  return { user, session, audit }
}

function noticesOfJoining(
  deps: Deps,
  { organizationId, email, role }: KeptInvitation,
  { clientAddress, device }: Client,
): Promise<Mail[]> {
  const about = { email, role }
  const from = { network: clientNetwork(clientAddress), device }
  return prepareNotices(deps, 'member-added', { organizationId, owners: true, ...from, about })
}

function rejectExpired({ expiresAt }: KeptInvitation, now: Date): void {
  if (now.getTime() >= Date.parse(expiresAt)) throw invitationNotFound()
}
