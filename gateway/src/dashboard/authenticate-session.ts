import { organizationSwitched } from '@einvoicing/domain/account-errors'
import type { Request, RequestHandler, Response } from 'express'
import { findSlot } from '../http/overload/slot'
import { authorize, createCall, getExchange, type SignedIn } from '../http/exchange'
import type { RateLimit } from '../rate-limit/rate-limit'
import { describeClient } from './client'
import type { SessionRouteDeps } from './deps'
import { findSession, readSession, type SessionDeps } from './session'

/**
 * Can be called again during a request. Throws `SESSION_MISSING`, `SESSION_INVALID`, and
 * `ORGANIZATION_SWITCHED` when the page shows another organization than the session's.
 */
export async function authenticateSession(
  { organizations, session }: SessionRouteDeps,
  request: Request,
  response: Response,
): Promise<SignedIn> {
  const claimed = readSession(request, session)
  const { organizationId, userId, passwordVersion, sessionId } = claimed
  // A page that still shows the organization before must not write into this one.
  const shown = request.get('x-organization-id')
  if (shown !== undefined && shown !== organizationId) throw organizationSwitched()
  const { email, role, secondFactorMissing, emailUnverified, ...issuer } =
    await organizations.authenticateMember(
      {
        organizationId,
        userId,
        passwordVersion,
        sessionId,
        unattended: isUnattended(request),
        enrolling: isForEnrolment(request),
        verifying: isForVerification(request),
      },
      createCall(response),
    )
  findSlot(response)?.assign(organizationId)
  const organizationName = issuer.mentions?.name ?? ''
  const expiresAt = claimed.sessionExpiresAt
  const who = { organizationId, organizationName, userId, email, role, expiresAt }
  const member = { ...who, secondFactorMissing, emailUnverified }
  const actor = `user:${email}`
  const client = describeClient(request)
  const caller = { service: 'gateway', organizationId, actor, sessionId, ...client } as const
  Object.assign(getExchange(response), { caller, issuer, member })
  return member
}

// A member without a required second factor may set one up or switch organization.
const enrolment =
  /^\/dashboard\/api\/(session|session\/organization|organizations|session\/confirm(\/options)?|second-factor|totp|recovery-codes|passkeys(\/.*)?)$/

function isForEnrolment({ originalUrl }: Request): boolean {
  return enrolment.test(originalUrl.split('?')[0] ?? '')
}

// A user with an unverified email may read who they are and end sessions.
const verification = /^\/dashboard\/api\/(session|sessions(\/[^/]*)?)$/

function isForVerification({ originalUrl }: Request): boolean {
  return verification.test(originalUrl.split('?')[0] ?? '')
}

/** A poll of an unattended page, or its event stream, does not count as use of the session. */
function isUnattended({ headers }: Request): boolean {
  return headers['x-unattended'] !== undefined || headers.accept === 'text/event-stream'
}

export function authenticateBySession(deps: SessionRouteDeps): RequestHandler {
  return async (request, response, next) => {
    await authorize(response, () => authenticateSession(deps, request, response))
    next()
  }
}

export interface LimitSessionDeps {
  rateLimit: RateLimit
  session: SessionDeps
}

/** Before the session is checked: a request that is rejected then costs as much. */
export function limitSession({ rateLimit, session }: LimitSessionDeps): RequestHandler {
  return async (request, response, next) => {
    const claimed = findSession(request, session)
    if (claimed) await rateLimit.take({ kind: 'user', id: claimed.userId }, response)
    next()
  }
}
