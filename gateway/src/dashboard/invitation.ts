/**
 * What a one-time token is for: joining by an invitation, which opens a session, and a new
 * password.
 */

import { limits } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { Invitation, OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { newPasswordRule } from './account-rules'
import { presentOpened } from './accounts'
import { readClient } from './client'
import { openSession, type SessionDeps } from './session'

export interface InvitationDeps {
  organizations: Service<OrganizationsService>
  session: SessionDeps
}

export function invitationRoutes(deps: InvitationDeps): RouteTable {
  return {
    '/invitation': { POST: accept(deps) },
    '/invitation/read': { POST: read(deps) },
    '/password/reset': { POST: resetPassword(deps) },
  }
}

const token = toZodSchema<string>(filledText(limits.invitationTokenLength))

// In a body: a token in a path would be logged on its way.
export const invitationHeld = z.strictObject({ token })

export const invitationAccepted = z.strictObject({
  token,
  password: toZodSchema<string>(newPasswordRule),
})

export const passwordReset = z.strictObject({
  token,
  password: toZodSchema<string>(newPasswordRule),
})

const resetPassword =
  ({ organizations }: InvitationDeps): Handle =>
  async (request, response) => {
    const reset = await readFields(request, response, passwordReset)
    const { clientAddress } = readClient(request)
    await organizations.resetPassword({ ...reset, clientAddress }, createCall(response))
    sendOk(response, {})
  }

const read =
  ({ organizations }: InvitationDeps): Handle =>
  async (request, response) => {
    const held = await readFields(request, response, invitationHeld)
    const invitation = await organizations.readInvitation(
      { ...held, clientAddress: request.ip ?? '' },
      createCall(response),
    )
    sendOk(response, presentInvitation(invitation))
  }

const accept =
  ({ organizations, session }: InvitationDeps): Handle =>
  async (request, response) => {
    const accepted = await readFields(request, response, invitationAccepted)
    const identity = await organizations.acceptInvitation(
      { ...accepted, ...readClient(request) },
      createCall(response),
    )
    openSession(response, identity, session)
    sendCreated(response, presentOpened(identity))
  }

export function presentInvitation({ organizationName, email, role, expiresAt }: Invitation) {
  return { organizationName, email, role, expiresAt }
}
