// A signed token is valid for one method of one service, for half a minute.

import jwt from 'jsonwebtoken'
import { callerKeysFor, type CallerKeys, type CallerTokens } from './caller-secrets'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { ServiceName } from './service-name'
import { verifyToken, type TokenKeys } from '@einvoicing/access/token-keys'

export interface Caller {
  service: ServiceName
  /** Absent before sign-in and for health checks. */
  organizationId?: string | undefined
  /** For the audit log: `api-key:<id>`, `user:<email>`, `service:<name>`. */
  actor: string
  /** Only of calls from the dashboard. */
  sessionId?: string | undefined
  /** Of the dashboard's client, for the audit log. */
  network?: string | undefined
  device?: string | undefined
}

export function serviceCaller(service: ServiceName, organizationId?: string): Caller {
  return { service, organizationId, actor: `service:${service}` }
}

export interface Called {
  service: ServiceName
  /** `/einvoicing.Artefacts/ReadPdf`. */
  path: string
}

const lifetimeSeconds = 30
/** A token is reused for this long: it then has ten seconds and the tolerance to arrive. */
const reusedMs = 20_000
const clockToleranceSeconds = 30

export function signCallerTokens(caller: Caller, called: Called, keys: CallerKeys): CallerTokens {
  const { service, organizationId, actor, sessionId, network, device } = caller
  const who = [actor, organizationId, sessionId, network, device]
  const name = JSON.stringify([service, called.path, ...who])
  const signed = keys.signed.find(name)
  if (signed) return signed
  const fromMs = Date.now()
  const untilMs = fromMs + reusedMs
  return keys.signed.add(name, signNew(caller, called, keys), { fromMs, untilMs })
}

function signNew(caller: Caller, called: Called, keys: CallerKeys): CallerTokens {
  const { organizationId: org, actor: act, sessionId: sid, network: net, device: dev } = caller
  const sign = (key: TokenKeys[0]) =>
    jwt.sign({ org, act, sid, net, dev }, key, {
      algorithm: 'HS256',
      issuer: caller.service,
      audience: called.path,
      expiresIn: lifetimeSeconds,
    })
  const { pair, shared } = callerKeysFor(keys, called.service)
  // A server that does not have the pair's secret yet reads the first.
  if (pair && shared) return { caller: sign(shared[0]), 'caller-pair': sign(pair[0]) }
  const [key] = pair ?? shared ?? []
  return { caller: sign(key ?? noSecret(called.service)) }
}

/** Throws `CALLER_REFUSED`; SERVICE_UNAVAILABLE for a wrong time, since clocks may differ. */
export function readCallerToken(
  tokens: CallerTokens,
  { path }: Called,
  { keys, admitted }: { keys: CallerKeys; admitted: readonly ServiceName[] },
): Caller {
  const byPair = keys.pairs.size > 0 ? tokens['caller-pair'] : undefined
  const token = byPair ?? tokens.caller ?? ''
  const name = `${path} ${token}`
  const known = keys.verified.find(name)
  if (known) return toCaller(known)
  try {
    const issuer = admitted.find((name) => name === claimedIssuer(token))
    if (!issuer) throw new Error('its issuer is not allowed to call')
    const claims = verified(token, { issuer, path, keys })
    const caller = toCaller(claims)
    keys.verified.add(name, claims, validity(claims))
    return caller
  } catch (cause) {
    if (cause instanceof ClockError || cause instanceof jwt.TokenExpiredError) {
      throw unavailable('The service', clockError(token, cause))
    }
    throw new ApiError('CALLER_REFUSED', 'The caller token was rejected.', { cause })
  }
}

/** Throws when the caller has none: a defect. */
export function callerOrganization(caller: Caller): string {
  if (!caller.organizationId) throw new Error(`${caller.service} called without an organization`)
  return caller.organizationId
}

class ClockError extends Error {}

interface Expected {
  issuer: ServiceName
  path: string
  keys: CallerKeys
}

function verified(token: string, { issuer, path, keys }: Expected): jwt.JwtPayload {
  const { pair, shared } = callerKeysFor(keys, issuer)
  const options = { algorithms: ['HS256' as const], issuer, clockTolerance: clockToleranceSeconds }
  const claims = pair
    ? verifyAny(token, { first: pair, other: shared }, { ...options, audience: path })
    : verifyToken(token, shared ?? noSecret(issuer), options)
  if (typeof claims === 'string') throw new Error('claims are not an object')
  // A service of the previous version, with the shared secret alone, names no method.
  if (claims.aud !== undefined && claims.aud !== path) throw new Error('it is for another method')
  const ahead = (claims.iat ?? 0) - Date.now() / 1_000
  if (ahead > lifetimeSeconds + clockToleranceSeconds) throw new ClockError('issued in the future')
  return claims
}

/** Without the tolerance: beyond it a token is verified each time. */
function validity({ iat = 0, exp = 0 }: jwt.JwtPayload): { fromMs: number; untilMs: number } {
  return { fromMs: iat * 1_000, untilMs: exp * 1_000 }
}

function noSecret(issuer: ServiceName): never {
  throw new Error(`no secret is configured for ${issuer}`)
}

function verifyAny(
  token: string,
  { first, other }: { first: TokenKeys; other: TokenKeys | undefined },
  { audience, ...options }: jwt.VerifyOptions & { audience: string; complete?: false },
): jwt.JwtPayload | string {
  try {
    return verifyToken(token, first, { ...options, audience })
  } catch (error) {
    if (!other || (error as Error).message !== 'invalid signature') throw error
    return verifyToken(token, other, options)
  }
}

function claimedIssuer(token: string): unknown {
  const claims = jwt.decode(token)
  return typeof claims === 'object' ? claims?.iss : undefined
}

function clockError(token: string, cause: Error): Error {
  const { iat = 0, iss = '' } = jwt.decode(token) as jwt.JwtPayload
  const seconds = Math.round(Date.now() / 1_000 - iat)
  return new Error(
    `a caller token from ${iss} was issued ${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of' : 'behind'} the clock of this machine: synchronize both clocks by NTP`,
    { cause },
  )
}

function toCaller(claims: jwt.JwtPayload): Caller {
  const { iss, org, act, sid, net, dev } = claims as Record<string, unknown>
  if (typeof act !== 'string' || act === '') throw new Error('it names no actor')
  if (org !== undefined && typeof org !== 'string') throw new Error('organization is not a string')
  if (sid !== undefined && typeof sid !== 'string') throw new Error('session is not a string')
  const caller: Caller = { service: iss as ServiceName, organizationId: org, actor: act }
  if (sid !== undefined) caller.sessionId = sid
  if (typeof net === 'string') caller.network = net
  if (typeof dev === 'string') caller.device = dev
  return caller
}
