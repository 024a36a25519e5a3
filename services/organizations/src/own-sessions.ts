import { clientNetwork } from '@einvoicing/access/client-network'
import { memberNotFound, sessionNotFound, sessionOver } from '@einvoicing/domain/account-errors'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Call } from '@einvoicing/rpc/call'
import type {
  ConfirmedSession,
  ConfirmSessionRequest,
  EndedSessions,
  EndSessionsRequest,
  ListSessionsRequest,
  MemberId,
  PasskeyOptions,
  PasskeyPlace,
  Sessions,
} from '@einvoicing/proto/organizations'
import { lastSeen } from './authenticate-member'
import { toAuditRecord } from './audit-record'
import type { ByCaller, Deps } from './deps'
import { noteFailures } from './note-failures'
import { provePassword } from './prove-password'
import { offerAuthentication } from './second-factor/passkeys'
import { prepareProof } from './second-factor/prove'
import type { ConfirmedSession as StoredConfirmation, User, Writer } from './store/store'
import { toConfirmedWriter, toWriter } from './writer'

export async function listSessions(
  { store, sightings, sessionIdleMs, now }: Deps,
  { userId }: ListSessionsRequest,
  { caller }: ByCaller,
): Promise<Sessions> {
  const at = now()
  const usedSince = new Date(at.getTime() - sessionIdleMs).toISOString()
  const stored = await store.listSessions({ userId, now: at.toISOString() })
  const sessions = stored
    .map(({ id, createdAt, network, device, ...session }) => ({
      id,
      createdAt,
      lastSeenAt: lastSeen(sightings, { id, ...session }),
      network,
      device,
      current: id === caller.sessionId,
    }))
    .filter(({ lastSeenAt }) => lastSeenAt > usedSince)
  return { sessions }
}

/**
 * In all their organizations. Throws `CONFIRMATION_REQUIRED`, so that who holds a stolen session
 * cannot sign its owner out; `SESSION_NOT_FOUND` for one that is not open, or another's.
 */
export async function endSessions(
  deps: Deps,
  { userId, sessionId }: EndSessionsRequest,
  { caller }: ByCaller,
): Promise<EndedSessions> {
  const by = toConfirmedWriter(deps, caller, 'READ_ONLY')
  const own = { id: by.session?.id ?? '', organizationId: by.organizationId, userId }
  if (!(await deps.store.findSession(own))) throw sessionNotFound()
  const which = sessionId === undefined ? { except: by.session?.id } : { id: sessionId }
  const count = await deps.store.endSessions(
    by,
    { userId, ...which, everywhere: true },
    toAuditRecord(deps, caller, { action: 'session.ended', detail: sessionId ?? 'all others' }),
  )
  if (sessionId !== undefined && count === 0) throw sessionNotFound()
  return { count }
}

/** Throws `MEMBER_NOT_FOUND`. */
export async function endMemberSessions(
  deps: Deps,
  { memberId }: MemberId,
  { caller }: ByCaller,
): Promise<EndedSessions> {
  const { store } = deps
  const by = toWriter(deps, caller, 'OWNER')
  const member = await store.findMember(by.organizationId, memberId)
  if (!member) throw memberNotFound()
  const count = await store.endSessions(
    by,
    { userId: memberId },
    toAuditRecord(deps, caller, { action: 'session.ended', detail: `${member.user.email}: all` }),
  )
  return { count }
}

/**
 * The token from before no longer works. Throws `VALIDATION_ERROR` for a wrong proof, counted with
 * those of sign-in.
 */
export async function confirmSession(
  deps: Deps,
  request: ConfirmSessionRequest,
  { caller, requestId }: Pick<Call, 'caller' | 'requestId'>,
): Promise<ConfirmedSession> {
  const { store } = deps
  const by = toWriter(deps, caller, 'READ_ONLY')
  const member = await store.findMember(by.organizationId, request.userId)
  if (!member) throw sessionOver()
  const newId = request.replacesToken ? deps.newId() : undefined
  const confirmedAt = deps.now().toISOString()
  const confirmed = { id: newId ?? by.session?.id ?? '', confirmedAt }
  const confirming = { user: member.user, request, requestId, confirmed }
  if (request.code === undefined && request.passkey === undefined) {
    await confirmByPassword(deps, by, confirming)
  } else await confirmByFactor(deps, by, confirming)
  return { sessionId: newId }
}

export async function offerPasskeyConfirmation(
  deps: Deps,
  { userId = '', origin }: PasskeyPlace,
  { caller }: ByCaller,
): Promise<PasskeyOptions> {
  const factors = await deps.store.findSecondFactors(userId)
  const place = { purpose: purposeFor(caller.sessionId), origin }
  return { options: await offerAuthentication(deps, place, factors) }
}

const purposeFor = (sessionId: string | undefined) => `confirmation of session ${sessionId ?? ''}`

interface Confirming {
  user: User
  request: ConfirmSessionRequest
  requestId: string
  confirmed: StoredConfirmation
}

async function confirmByFactor(deps: Deps, by: Writer, confirming: Confirming): Promise<void> {
  const { user, request, requestId, confirmed } = confirming
  const { code, passkey, clientAddress, origin = '' } = request
  const purpose = purposeFor(by.session?.id)
  const claim = { code, passkey, clientAddress, origin, purpose }
  await noteFailures(deps, { user, clientAddress, requestId }, async () => {
    const proof = await prepareProof(deps, user, claim)
    const { use } = proof
    const detail = `${clientNetwork(clientAddress)}, ${proof.name}`
    const audit = toAuditRecord(deps, by, { action: 'user.confirmed', detail })
    const isProven =
      use !== undefined &&
      (await deps.store.changeSecondFactors(by, user.id, (before) => {
        const after = use(before)
        return after && { after, audits: [audit], confirmed }
      }))
    if (!isProven) {
      const field = code === undefined ? 'passkey' : 'code'
      throw createValidationError([{ field, message: 'is incorrect, or was already used' }])
    }
    await proof.forgive()
  })
}

async function confirmByPassword(
  deps: Deps,
  by: Writer,
  { user, request: { password, clientAddress }, requestId, confirmed }: Confirming,
): Promise<void> {
  const claim = { email: user.email, user, password, clientAddress, requestId }
  await provePassword(deps, claim, () =>
    createValidationError([{ field: 'password', message: 'is not your password' }]),
  )
  const act = { action: 'user.confirmed', detail: clientNetwork(clientAddress) }
  await deps.store.confirmSession(by, confirmed, toAuditRecord(deps, by, act))
}
