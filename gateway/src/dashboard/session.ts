/**
 * Who sits at the dashboard: a signed token in a cookie that scripts cannot read and other sites
 * cannot send.
 *
 * Nothing is kept on our side, so a session ends by its age or by the browser forgetting it.
 */

import type { Clock } from '@einvoicing/kernel/clock'
import { Refusal } from '@einvoicing/kernel/refusal'
import { verifyToken, type TokenKeys } from '@einvoicing/kernel/token-keys'
import type { Request, RequestHandler, Response } from 'express'
import jwt from 'jsonwebtoken'
import { exchangeOf } from '../http/exchange'

export interface Session {
  organizationId: string
  email: string
}

export interface SessionDeps {
  keys: TokenKeys
  now: Clock
}

const cookieName = 'session'
const lifetimeSeconds = 12 * 60 * 60
const audience = 'dashboard'

export function signSession({ organizationId, email }: Session, deps: SessionDeps): string {
  const iat = Math.floor(deps.now().getTime() / 1000)
  return jwt.sign({ org: organizationId, email, iat, exp: iat + lifetimeSeconds }, deps.keys[0], {
    algorithm: 'HS256',
    audience,
  })
}

/** Throws `SESSION_INVALID` for a token that is forged, altered or too old. */
export function verifySession(token: string, { keys, now }: SessionDeps): Session {
  try {
    const claims = verifyToken(token, keys, {
      algorithms: ['HS256'],
      audience,
      clockTimestamp: Math.floor(now().getTime() / 1000),
    })
    if (typeof claims === 'string') throw new Error('claims are not an object')
    return { organizationId: String(claims['org']), email: String(claims['email']) }
  } catch (cause) {
    if (!(cause instanceof jwt.JsonWebTokenError) && !(cause instanceof SyntaxError)) throw cause
    throw new Refusal('SESSION_INVALID', 'Your session is over. Sign in again.')
  }
}

export function openSession(response: Response, session: Session, deps: SessionDeps): void {
  response.cookie(cookieName, signSession(session, deps), {
    ...cookieScope(response.req),
    maxAge: lifetimeSeconds * 1000,
  })
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

/** SESSION_MISSING, SESSION_INVALID. */
export function authenticateBySession(deps: SessionDeps): RequestHandler {
  return (request, response, next) => {
    const token = readCookie(request.headers.cookie, cookieName)
    if (!token) throw new Refusal('SESSION_MISSING', 'Sign in first.')
    const { organizationId, email } = verifySession(token, deps)
    exchangeOf(response).caller = { service: 'gateway', organizationId, actor: `user:${email}` }
    next()
  }
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
    throw new Refusal('CSRF_REFUSED', 'Send the header "X-Requested-With: dashboard".')
  }
  next()
}
