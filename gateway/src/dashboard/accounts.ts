/**
 * Becoming a caller of the dashboard: signing up, signing in and out (design.md, section 6), and
 * who one is.
 */

import { limits } from '@einvoicing/kernel/limits'
import type { Service } from '@einvoicing/kernel/rpc'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Response } from 'express'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, ruled } from '../fields/rules'
import { sendCreated, sendOk } from '../http/envelope'
import { callFor, type SignedIn } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { email, newEmail, newPassword, password } from './account-rules'
import { authenticateSession } from './authenticate-session'
import { closeSession, openSession, type SessionDeps } from './session'

export interface AccountDeps {
  organizations: Service<OrganizationsService>
  session: SessionDeps
}

export function accountRoutes(deps: AccountDeps): RouteTable {
  return {
    '/signup': { POST: signUp(deps) },
    '/session': { GET: readSession(deps), POST: signIn(deps), DELETE: signOut },
  }
}

export const newAccount = z.strictObject({
  organizationName: ruled<string>(filledText(limits.mentionLength)),
  email: ruled<string>(newEmail),
  password: ruled<string>(newPassword),
})

// How long a password must be is nothing to tell who only tries one.
export const credentials = z.strictObject({
  email: ruled<string>(email),
  password: ruled<string>(password),
})

const signUp =
  ({ organizations, session }: AccountDeps): Handle =>
  async (request, response) => {
    const account = await readFields(request, response, newAccount)
    const identity = await organizations.signUp(
      { ...account, clientAddress: request.ip ?? '' },
      callFor(response),
    )
    const expiresAt = openSession(response, identity, session)
    sendCreated(response, presentIdentity({ ...identity, expiresAt }))
  }

const signIn =
  ({ organizations, session }: AccountDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, credentials)
    const identity = await organizations.signIn(
      { ...typed, clientAddress: request.ip ?? '' },
      callFor(response),
    )
    const expiresAt = openSession(response, identity, session)
    sendOk(response, presentIdentity({ ...identity, expiresAt }))
  }

const readSession =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    sendOk(response, presentIdentity(await authenticateSession(deps, request, response)))
  }

/** Signing out twice is signing out. */
function signOut(_: unknown, response: Response): void {
  closeSession(response)
  sendOk(response, {})
}

export function presentIdentity(signedIn: SignedIn) {
  const { organizationId, organizationName, userId, email, role, expiresAt } = signedIn
  return { organizationId, organizationName, userId, email, role, expiresAt }
}
