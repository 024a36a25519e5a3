// The cookie names the session, the user and the password's version; each request asks the
// organizations service whether the session is open (`authenticate-session.ts`).

import type { Clock } from '@einvoicing/runtime/clock'
import { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
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
  sessionExpiresAt: string
}

export interface SessionDeps {
  keys: TokenKeys
  now: Clock
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

/** Throws `SESSION_INVALID` for a token that is forged, altered, expired, or names no session. */
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
    'Send the header "X-Requested-With: dashboard" with every change made in a session.',
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

export function setSessionCookie(response: Response, session: Session, deps: SessionDeps): void {
  const maxAge = Date.parse(session.sessionExpiresAt) - deps.now().getTime()
  const { name, ...scope } = toCookieOptions(response.req, deps)
  response.cookie(name, signSession(session, deps), { ...scope, maxAge })
}

export function clearSessionCookie(response: Response, deps: SessionDeps): void {
  const { name, ...scope } = toCookieOptions(response.req, deps)
  response.clearCookie(name, scope)
}

/** `__Host-` with https: no other host can set the cookie. Browsers reject it on plain HTTP. */
function toCookieOptions(request: Request, { publicUrl }: Pick<SessionDeps, 'publicUrl'>) {
  const common = { httpOnly: true, sameSite: 'strict' } as const
  const isHttps = request.secure || publicUrl?.startsWith('https:') === true
  return isHttps
    ? { ...common, name: '__Host-session', secure: true, path: '/' }
    : { ...common, name: 'session', secure: false, path: '/dashboard' }
}

// Not a prefix of session tokens: the half-open cookie is invalid everywhere else.
const halfOpenMark = 'half-open.'

export function setHalfOpenCookie(response: Response, token: string, deps: SessionDeps): void {
  const { name, ...scope } = toCookieOptions(response.req, deps)
  const maxAge = limits.secondFactorLifetimeMs
  response.cookie(name, `${halfOpenMark}${token}`, { ...scope, maxAge })
}

/** Throws `SESSION_MISSING`, `SESSION_INVALID`. */
export function readHalfOpen(request: Request, deps: SessionDeps): string {
  const token = readToken(request, deps)
  if (!token.startsWith(halfOpenMark)) throw sessionOver()
  return token.slice(halfOpenMark.length)
}

/** Throws `SESSION_MISSING`, `SESSION_INVALID`. */
export function readSession(request: Request, deps: SessionDeps): Session {
  return verifySession(readToken(request, deps), deps)
}

/** That of the cookie; it may have ended. */
export function findSession(request: Request, deps: SessionDeps): Session | undefined {
  try {
    return readSession(request, deps)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function readToken(request: Request, deps: SessionDeps): string {
  const tokens = readCookies(request.headers.cookie, toCookieOptions(request, deps).name)
  const [token, ...others] = new Set(tokens)
  if (!token) {
    throw sessionMissing()
  }
  // The header does not say which of them is ours.
  if (others.length > 0) throw sessionOver()
  return token
}

export function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    const isNamed = equals > 0 && pair.slice(0, equals).trim() === name
    return isNamed ? [pair.slice(equals + 1).trim()] : []
  })
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** A form on another site cannot set a header. */
export const checkForgery: RequestHandler = (request, _, next) => {
  if (!safeMethods.has(request.method) && request.headers['x-requested-with'] !== 'dashboard') {
    throw forgeryRejected()
  }
  next()
}
