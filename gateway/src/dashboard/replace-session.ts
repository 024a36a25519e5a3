// A browser has one session: with a new cookie the one before would stay open, and no one could
// sign out of it.

import type { Log } from '@einvoicing/runtime/log'
import { toLogIds } from '@einvoicing/runtime/trace'
import type { Identity } from '@einvoicing/proto/organizations'
import type { Response } from 'express'
import { createCall, getExchange } from '../http/exchange'
import { describeClient, readClient } from './client'
import type { SessionRouteDeps } from './deps'
import { findSession, setHalfOpenCookie, setSessionCookie } from './session'

interface ReplaceSessionDeps extends SessionRouteDeps {
  log: Log
}

/** A session that cannot be ended now ends by its age. */
export async function replaceSession(
  { log, ...deps }: ReplaceSessionDeps,
  response: Response,
  identity: Identity,
): Promise<void> {
  try {
    await endSession(deps, response)
  } catch (err) {
    log.warn({ err, ...toLogIds(getExchange(response)) }, 'the session before was not ended')
  }
  if (identity.halfOpen === undefined) setSessionCookie(response, identity, deps.session)
  else setHalfOpenCookie(response, identity.halfOpen, deps.session)
}

/** That of the request's cookie, if it has one. */
export async function endSession(
  { organizations, session }: SessionRouteDeps,
  response: Response,
): Promise<void> {
  const request = response.req
  const claimed = findSession(request, session)
  if (!claimed) return
  const { organizationId, userId, email, sessionId } = claimed
  const actor = `user:${email}`
  const who = { service: 'gateway', organizationId, actor, sessionId } as const
  const caller = { ...who, ...describeClient(request) }
  const { clientAddress } = readClient(request)
  await organizations.endSession({ clientAddress, userId }, { ...createCall(response), caller })
}
