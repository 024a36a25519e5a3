/**
 * On whose behalf a call between services is made, and the signed token that proves it on the wire.
 */

import jwt from 'jsonwebtoken'
import { Refusal } from './refusal'
import { verifyToken, type TokenKeys } from './token-keys'

export type ServiceName =
  'gateway' | 'organizations' | 'invoices' | 'signer' | 'artefacts' | 'clearance'

export interface Caller {
  /** Which service makes the call. */
  service: ServiceName
  /**
   * The organization it acts for; absent where there is none yet (sign-in) or none at all (health).
   */
  organizationId?: string | undefined
  /** For the audit log: `api-key:<id>`, `user:<email>`, `service:<name>`. */
  actor: string
  /** The session of the dashboard it acts by; absent for every other caller. */
  sessionId?: string | undefined
}

const tokenLifetimeSeconds = 60

export function signCallerToken(caller: Caller, [key]: TokenKeys): string {
  const { organizationId: org, actor: act, sessionId: sid } = caller
  return jwt.sign({ org, act, sid }, key, {
    algorithm: 'HS256',
    issuer: caller.service,
    expiresIn: tokenLifetimeSeconds,
  })
}

/**
 * Throws `CALLER_REFUSED` for a token that is missing, forged, expired, or from a service this door
 * does not admit.
 */
export function readCallerToken(
  token: string | undefined,
  keys: TokenKeys,
  admitted: readonly ServiceName[],
): Caller {
  try {
    const claims = verifyToken(token ?? '', keys, {
      algorithms: ['HS256'],
      issuer: [admitted[0] ?? '', ...admitted.slice(1)],
    })
    return callerOf(claims)
  } catch (cause) {
    throw new Refusal('CALLER_REFUSED', 'The caller token was refused.', { cause })
  }
}

/** The organization a call is for. A call that needs one and has none is a defect of the caller. */
export function organizationOf(caller: Caller): string {
  if (!caller.organizationId) throw new Error(`${caller.service} called without an organization`)
  return caller.organizationId
}

function callerOf(claims: string | jwt.JwtPayload): Caller {
  if (typeof claims === 'string') throw new Error('claims are not an object')
  const { iss, org, act, sid } = claims as Record<string, unknown>
  if (typeof act !== 'string' || act === '') throw new Error('no actor is claimed')
  if (org !== undefined && typeof org !== 'string') throw new Error('organization is no text')
  if (sid !== undefined && typeof sid !== 'string') throw new Error('session is no text')
  const session = sid === undefined ? {} : { sessionId: sid }
  return { service: iss as ServiceName, organizationId: org, actor: act, ...session }
}
