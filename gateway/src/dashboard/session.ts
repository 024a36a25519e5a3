/**
 * A session: a signed token in a cookie that scripts cannot read and other sites cannot send.
 *
 * It says who signed in, when, and under which password; whether that still holds is asked with
 * each request (`authenticate-session.ts`). Nothing is kept on our side, so it ends by its age, by
 * the browser forgetting it, or by what is asked.
 */

import type { Clock } from '@einvoicing/kernel/clock'
import { Refusal } from '@einvoicing/kernel/refusal'
import { verifyToken, type TokenKeys } from '@einvoicing/kernel/token-keys'
import type { Request, RequestHandler, Response } from 'express'
import jwt from 'jsonwebtoken'

export interface Session {
  organizationId: string
  userId: string
  email: string
  passwordVersion: number
}

/** `expiresAt` in ISO 8601. */
export type OpenSession = Session & { expiresAt: string }

export interface SessionDeps {
  keys: TokenKeys
  now: Clock
}

const cookieName = 'session'
const lifetimeSeconds = 12 * 60 * 60
const audience = 'dashboard'

export function signSession(session: Session, { keys, now }: SessionDeps) {
  const { organizationId, userId, email, passwordVersion } = session
  const iat = secondsOf(now())
  const exp = iat + lifetimeSeconds
  // Versions that did not know users tell the actor by the email.
  const claims = { org: organizationId, sub: userId, email, pwv: passwordVersion, iat, exp }
  const token = jwt.sign(claims, keys[0], { algorithm: 'HS256', audience })
  return { token, expiresAt: isoOf(exp) }
}

/** Throws `SESSION_INVALID` for a token that is forged, altered, too old, or names no user. */
export function verifySession(token: string, { keys, now }: SessionDeps): OpenSession {
  try {
    const claims = verifyToken(token, keys, {
      algorithms: ['HS256'],
      audience,
      clockTimestamp: secondsOf(now()),
    })
    return sessionOf(claims)
  } catch (cause) {
    if (!(cause instanceof jwt.JsonWebTokenError) && !(cause instanceof SyntaxError)) throw cause
    throw new Refusal('SESSION_INVALID', 'Your session is over. Sign in again.')
  }
}

function sessionOf(claims: jwt.JwtPayload | string): OpenSession {
  if (typeof claims === 'string') throw new jwt.JsonWebTokenError('claims are not an object')
  const { org, sub, email, pwv, exp } = claims as Record<string, unknown>
  const isText = [org, sub, email].every((claim) => typeof claim === 'string')
  if (!isText || typeof pwv !== 'number' || typeof exp !== 'number') {
    throw new jwt.JsonWebTokenError('claims are not those of a session')
  }
  return {
    organizationId: org as string,
    userId: sub as string,
    email: email as string,
    passwordVersion: pwv,
    expiresAt: isoOf(exp),
  }
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Answers when it will be over by its age, ISO 8601. */
export function openSession(response: Response, session: Session, deps: SessionDeps): string {
  const { token, expiresAt } = signSession(session, deps)
  response.cookie(cookieName, token, {
    ...cookieScope(response.req),
    maxAge: lifetimeSeconds * 1000,
  })
  return expiresAt
}

export function closeSession(response: Response): void {
  response.clearCookie(cookieName, cookieScope(response.req))
}

function cookieScope(request: Request) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    // A cookie marked secure would be lost on the plain loopback the service starts on.
    secure: request.secure,
    path: '/dashboard',
  } as const
}

/** That of the request's cookie. Throws `SESSION_MISSING`, `SESSION_INVALID`. */
export function readSession(request: Request, deps: SessionDeps): OpenSession {
  const token = readCookie(request.headers.cookie, cookieName)
  if (!token)
    throw new Refusal('SESSION_MISSING', 'Nobody is signed in: sign in at /dashboard first.')
  return verifySession(token, deps)
}

/** The first cookie of that name (RFC 6265, section 5.4 puts the most specific path first). */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** A form on another site cannot set a header: whoever does is a script of ours. */
export const refuseForgery: RequestHandler = (request, _, next) => {
  if (!safeMethods.has(request.method) && request.headers['x-requested-with'] !== 'dashboard') {
    throw new Refusal(
      'CSRF_REFUSED',
      'A change by session needs the header "X-Requested-With: dashboard": send it.',
    )
  }
  next()
}
