/**
 * Becoming a caller of the dashboard: signing up, signing in and out (design.md, section 6), and
 * who one is.
 */

import { limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { Identity, OrganizationsService } from '@einvoicing/proto/organizations'
import type { Request } from 'express'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall, type SignedIn } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { emailRule, newEmailRule, newPasswordRule, passwordRule } from './account-rules'
import { authenticateSession } from './authenticate-session'
import { readClient } from './client'
import {
  closeSession,
  openSession,
  readSession as readSessionCookie,
  type Session,
  type SessionDeps,
} from './session'

export interface AccountDeps {
  organizations: Service<OrganizationsService>
  session: SessionDeps
}

export function accountRoutes(deps: AccountDeps): RouteTable {
  return {
    '/signup': { POST: signUp(deps) },
    '/session': { GET: readSession(deps), POST: signIn(deps), DELETE: signOut(deps) },
  }
}

export const newAccount = z.strictObject({
  organizationName: toZodSchema<string>(filledText(limits.mentionLength)),
  email: toZodSchema<string>(newEmailRule),
  password: toZodSchema<string>(newPasswordRule),
})

// How long a password must be is nothing to tell who only tries one.
export const credentials = z.strictObject({
  email: toZodSchema<string>(emailRule),
  password: toZodSchema<string>(passwordRule),
})

const signUp =
  ({ organizations, session }: AccountDeps): Handle =>
  async (request, response) => {
    const account = await readFields(request, response, newAccount)
    const identity = await organizations.signUp(
      { ...account, ...readClient(request) },
      createCall(response),
    )
    openSession(response, identity, session)
    sendCreated(response, presentOpened(identity))
  }

const signIn =
  ({ organizations, session }: AccountDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, credentials)
    const identity = await organizations.signIn(
      { ...typed, ...readClient(request) },
      createCall(response),
    )
    openSession(response, identity, session)
    sendOk(response, presentOpened(identity))
  }

const readSession =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    sendOk(response, presentIdentity(await authenticateSession(deps, request, response)))
  }

/** Signing out twice is signing out. Where the session cannot be ended now, its cookie stays. */
const signOut =
  ({ organizations, session }: AccountDeps): Handle =>
  async (request, response) => {
    const open = findOpenSession(request, session)
    if (open) {
      const { organizationId, email, sessionId } = open
      const caller = {
        service: 'gateway',
        organizationId,
        actor: `user:${email}`,
        sessionId,
      } as const
      const { clientAddress } = readClient(request)
      await organizations.endSession({ clientAddress }, { ...createCall(response), caller })
    }
    closeSession(response, session)
    sendOk(response, {})
  }

function findOpenSession(request: Request, deps: SessionDeps): Session | undefined {
  try {
    return readSessionCookie(request, deps)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

export function presentOpened(identity: Identity) {
  return presentIdentity({ ...identity, expiresAt: identity.sessionExpiresAt })
}

export function presentIdentity(signedIn: SignedIn) {
  const { organizationId, organizationName, userId, email, role, expiresAt } = signedIn
  return { organizationId, organizationName, userId, email, role, expiresAt }
}
