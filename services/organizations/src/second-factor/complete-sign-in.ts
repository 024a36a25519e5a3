import {
  credentialsInvalid,
  secondFactorInvalid,
  sessionOver,
} from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import type {
  CompleteSignInRequest,
  Identity,
  PasskeyOptions,
  PasskeyPlace,
  SignInWithPasskeyRequest,
} from '@einvoicing/proto/organizations'
import { toAuditRecord } from '../audit-record'
import type { Deps } from '../deps'
import { toIdentity } from '../identity'
import { noteFailures } from '../note-failures'
import { prepareNotices } from '../notices'
import { newSession, type Client } from '../session'
import { prepareSignedIn } from '../signed-in'
import type { AuditRecord, Session, User } from '../store/store'
import { useToken, type SecondFactors } from './factors'
import { passkeyPurpose, readHalf } from './half-open'
import { offerAuthentication, readUserHandle } from './passkeys'
import { prepareProof, type PreparedProof } from './prove'

const signInPurpose = 'sign-in'

/** Throws `SESSION_INVALID`, `CREDENTIALS_INVALID`, `TOO_MANY_ATTEMPTS`. */
export async function completeSignIn(
  deps: Deps,
  { halfOpen: token, code, recoveryCode, passkey, ...client }: CompleteSignInRequest,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<Identity> {
  const half = await readHalf(deps, token)
  const member = half && (await deps.store.findMember(half.organizationId, half.userId))
  if (!member || member.user.passwordVersion !== half.passwordVersion) throw sessionOver()
  const { user } = member
  const claim = { code, recoveryCode, passkey, ...client, purpose: passkeyPurpose(token) }
  const once = { token, lifetimeMs: limits.secondFactorLifetimeMs }
  const { clientAddress } = client
  return noteFailures(deps, { user, clientAddress, requestId }, async () => {
    const proof = await prepareProof(deps, user, claim)
    return open(deps, user, { proof, client, once })
  })
}

export async function offerPasskeySignIn(
  deps: Deps,
  { origin }: PasskeyPlace,
): Promise<PasskeyOptions> {
  return { options: await offerAuthentication(deps, { purpose: signInPurpose, origin }) }
}

/** Throws `CREDENTIALS_INVALID`. */
export async function signInWithPasskey(
  deps: Deps,
  { passkey, ...client }: SignInWithPasskeyRequest,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<Identity> {
  const { store } = deps
  const handle = readUserHandle(passkey)
  const user = handle === undefined ? undefined : await store.findUserById(handle)
  const claimed = user ?? { id: '', knownNetworks: [] }
  const claim = { passkey, ...client, purpose: signInPurpose }
  const { clientAddress } = client
  return noteFailures(deps, { user, clientAddress, requestId }, async () => {
    const proof = await prepareProof(deps, claimed, claim)
    if (!user) throw secondFactorInvalid()
    return open(deps, user, { proof, client })
  })
}

interface Opening {
  proof: PreparedProof
  client: Client
  /** A token of one use; only its first use opens a session. */
  once?: { token: string; lifetimeMs: number }
}

async function open(deps: Deps, user: User, { proof, client, once }: Opening): Promise<Identity> {
  const { store, mailer } = deps
  const { use } = proof
  if (!use) throw secondFactorInvalid()
  const session = newSession(deps, user, client)
  const audits = await prepareAudits(deps, user, { session, proof })
  const proven = { is: false }
  const isOpen = await store.changeSecondFactors(toActor(user), user.id, (before) => {
    const used = use(before)
    proven.is = used !== undefined
    if (!used) return undefined
    const after = once ? useToken(used, once.token, { ...once, now: deps.now().getTime() }) : used
    if (!after) throw sessionOver()
    return { after, session, audits: audits(after) }
  })
  if (!proven.is) throw secondFactorInvalid()
  await proof.forgive()
  // The user was removed or changed the password since the check.
  if (!isOpen) throw credentialsInvalid()
  mailer.wake()
  return toIdentity(user, session, await store.findMentions(user.organizationId))
}

function toActor({ organizationId, email }: User) {
  return { organizationId, actor: `user:${email}` }
}

/** A used recovery code's entry says how many are left. */
async function prepareAudits(
  deps: Deps,
  user: User,
  { session, proof }: { session: Session; proof: PreparedProof },
): Promise<(after: SecondFactors) => AuditRecord[]> {
  const { organizationId, email } = user
  const { network, device } = session
  const by = { actor: `user:${email}`, network, device }
  const concerned = { organizationId, to: [email], network, device }
  const signedIn = await prepareSignedIn(deps, user, { session, factor: proof.name })
  if (proof.name !== 'recovery code') return () => [signedIn]
  const about = { means: 'code' }
  const notices = await prepareNotices(deps, 'recovery-used', { ...concerned, about })
  return ({ recovery }) => {
    const detail = `${email}: ${recovery?.hashes.length ?? 0} left`
    const action = 'second-factor.recovery-code-used'
    return [toAuditRecord(deps, by, { action, detail, notices }), signedIn]
  }
}
