import { clientNetwork } from '@einvoicing/access/client-network'
import type { Identity, SignUpRequest } from '@einvoicing/proto/organizations'
import { limitProbes } from './attempt-guards'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { findEmailError, normaliseEmail } from './email'
import { toIdentity } from './identity'
import { findMentionError, mentionsNamed } from './legal-mentions'
import { findPasswordError } from './password'
import { findNewPasswordError } from './password-strength'
import { newSession, type Client } from './session'
import type { NewOrganization, User } from './store/store'
import { checkFieldErrors } from './text-rules'
import { startUnverified, toUnverified } from './unverified'
import { prepareVerification } from './verify-email'
import { emailTaken, signUpClosed } from '@einvoicing/domain/account-errors'

export interface Applicant {
  organizationName: string
  email: string
  password: string
}

/** Throws `SIGNUP_CLOSED`, `VALIDATION_ERROR`, `TOO_MANY_ATTEMPTS`, `EMAIL_TAKEN`. */
export async function signUp(deps: Deps, request: SignUpRequest): Promise<Identity> {
  if (deps.signUp === 'closed') {
    throw signUpClosed()
  }
  const applicant = readApplicant(request)
  await deps.signUpGuard(request.clientAddress)
  const { password, ...owner } = applicant
  checkFieldErrors({ password: await findNewPasswordError(password, owner) })
  const added = await limitProbes(deps.emailTakenGuard, request.clientAddress, () =>
    addOrganization(deps, applicant, request),
  )
  const { user, mentions, session } = added
  if (!session) throw new Error('a sign-up opened no session')
  return { ...toIdentity(user, session, mentions), ...toUnverified(deps, user) }
}

/** Opens a session when there is a client. Throws `EMAIL_TAKEN`. */
export async function addOrganization(
  deps: Deps,
  applicant: Applicant,
  client?: Client,
): Promise<NewOrganization> {
  const { organizationName, email, password } = applicant
  // Before the expensive hash; the store decides between two at once.
  if (await deps.store.findUser(email)) throw emailTaken()
  const lane = client ? clientNetwork(client.clientAddress) : 'demo'
  const passwordHash = await deps.passwords.hash(password, lane)
  const organizationId = deps.newId()
  const createdAt = deps.now().toISOString()
  const mentions = mentionsNamed(organizationName)
  const user: User = {
    id: deps.newId(),
    organizationId,
    email,
    passwordHash,
    passwordVersion: 0,
    role: 'OWNER',
    createdAt,
    knownNetworks: [],
    knownDevices: [],
    ...(client && startUnverified(deps, createdAt)),
  }
  const session = client && newSession(deps, user, client)
  const approval = client && deps.signUp === 'approval' ? ('PENDING' as const) : undefined
  const organization = { id: organizationId, mentions, createdAt, approval, user, session }
  const { network, device } = session ?? {}
  const notices = prepareVerification(deps, user, { network })
  const act = { action: 'organization.created', detail: organizationName, notices }
  const audit = toAuditRecord(deps, { actor: `user:${email}`, network, device }, act)
  const outcome = await deps.store.addOrganization(organization, audit)
  if (outcome === 'email-taken') throw emailTaken()
  deps.mailer.wake()
  return organization
}

function readApplicant(request: SignUpRequest): Applicant {
  const organizationName = request.organizationName.trim()
  const email = normaliseEmail(request.email)
  const { password } = request
  checkFieldErrors({
    organizationName: findMentionError('name', organizationName),
    email: findEmailError(email),
    password: findPasswordError(password),
  })
  return { organizationName, email, password }
}
