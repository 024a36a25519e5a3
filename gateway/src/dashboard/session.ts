/**
 * The cookie of a session: a signed token that scripts cannot read and other sites cannot send.
 *
 * It names the session that the organizations service stores, who signed in, and under which
 * password; whether the session is still open is asked with each request
 * (`authenticate-session.ts`). A token of a version that stored no sessions is refused: its user
 * signs in again.
 */

import type { Clock } from '@einvoicing/runtime/clock'
import { ApiError } from '@einvoicing/domain/api-error'
import { verifyToken, type TokenKeys } from '@einvoicing/access/token-keys'
import type { Request, RequestHandler, Response } from 'express'
import jwt from 'jsonwebtoken'
import { sessionOver } from '@einvoicing/domain/account-errors'

export interface Session {
  organizationId: string
  userId: string
  email: string
  passwordVersion: number
  sessionId: string
  /** ISO 8601. */
  sessionExpiresAt: string
}

export interface SessionDeps {
  keys: TokenKeys
  now: Clock
  /** The address of the service from outside, where the operator named it. */
  publicUrl: string | undefined
}

const audience = 'dashboard'

export function signSession(session: Session, { keys, now }: Omit<SessionDeps, 'publicUrl'>) {
  const { organizationId, userId, email, passwordVersion, sessionId } = session
  const iat = toUnixSeconds(now())
  const exp = toUnixSeconds(new Date(session.sessionExpiresAt))
  const who = { org: organizationId, sub: userId, email, pwv: passwordVersion }
  const claims = { ...who, sid: sessionId, iat, exp }
  return jwt.sign(claims, keys[0], { algorithm: 'HS256', audience })
}

/** Throws `SESSION_INVALID` for a token that is forged, altered, too old, or names no session. */
export function verifySession(
  token: string,
  { keys, now }: Omit<SessionDeps, 'publicUrl'>,
): Session {
  try {
    const claims = verifyToken(token, keys, {
      algorithms: ['HS256'],
      audience,
      clockTimestamp: toUnixSeconds(now()),
    })
    return toSession(claims)
  } catch (cause) {
    if (!(cause instanceof jwt.JsonWebTokenError) && !(cause instanceof SyntaxError)) throw cause
    throw sessionOver()
  }
}

export function sessionMissing(): ApiError {
  return new ApiError('SESSION_MISSING', 'You are not signed in: sign in at /dashboard first.')
}

export function forgeryRejected(): ApiError {
  return new ApiError(
    'CSRF_REFUSED',
    'Changes in a session need the header "X-Requested-With: dashboard": send it.',
  )
}

function toSession(claims: jwt.JwtPayload | string): Session {
  if (typeof claims === 'string') throw new jwt.JsonWebTokenError('claims are not an object')
  const { org, sub, email, pwv, sid, exp } = claims as Record<string, unknown>
  const isText = [org, sub, email, sid].every((claim) => typeof claim === 'string')
  if (!isText || typeof pwv !== 'number' || typeof exp !== 'number') {
    throw new jwt.JsonWebTokenError('claims are not those of a session')
  }
  return {
    organizationId: org as string,
    userId: sub as string,
    email: email as string,
    passwordVersion: pwv,
    sessionId: sid as string,
    sessionExpiresAt: new Date(exp * 1000).toISOString(),
  }
}

function toUnixSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

export function openSession(response: Response, session: Session, deps: SessionDeps): void {
  const maxAge = Date.parse(session.sessionExpiresAt) - deps.now().getTime()
  const { name, ...scope } = toCookieOptions(response.req, deps)
  response.cookie(name, signSession(session, deps), { ...scope, maxAge })
}

export function closeSession(response: Response, deps: SessionDeps): void {
  const { name, ...scope } = toCookieOptions(response.req, deps)
  response.clearCookie(name, scope)
}

/**
 * Where the outside is https, a name that browsers let only this very host set, and over https
 * alone: a site beside it cannot slip in a session of its own. A cookie like that would be lost on
 * the plain loopback the service starts on.
 */
function toCookieOptions(request: Request, { publicUrl }: Pick<SessionDeps, 'publicUrl'>) {
  const common = { httpOnly: true, sameSite: 'strict' } as const
  const isHttps = request.secure || publicUrl?.startsWith('https:') === true
  return isHttps
    ? { ...common, name: '__Host-session', secure: true, path: '/' }
    : { ...common, name: 'session', secure: false, path: '/dashboard' }
}

/** That of the request's cookie. Throws `SESSION_MISSING`, `SESSION_INVALID`. */
export function readSession(request: Request, deps: SessionDeps): Session {
  const tokens = readCookies(request.headers.cookie, toCookieOptions(request, deps).name)
  const [token, ...others] = new Set(tokens)
  if (!token) {
    throw sessionMissing()
  }
  // Which of them is ours, the header does not say.
  if (others.length > 0) throw sessionOver()
  return verifySession(token, deps)
}

/** The value of each cookie of that name. */
export function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    const isNamed = equals > 0 && pair.slice(0, equals).trim() === name
    return isNamed ? [pair.slice(equals + 1).trim()] : []
  })
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** A form on another site cannot set a header: anyone who does is a script of ours. */
export const checkForgery: RequestHandler = (request, _, next) => {
  if (!safeMethods.has(request.method) && request.headers['x-requested-with'] !== 'dashboard') {
    throw forgeryRejected()
  }
  next()
}
