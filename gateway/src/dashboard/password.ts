/** One's own password, changed: this session goes on, every other one of the user ends. */

import type { Service } from '@einvoicing/rpc/call'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { toZodSchema } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { newPasswordRule, passwordRule } from './account-rules'
import { readClient } from './client'
import { openSession, type SessionDeps } from './session'

export interface PasswordDeps {
  organizations: Service<OrganizationsService>
  session: SessionDeps
}

export function passwordRoutes(deps: PasswordDeps): RouteTable {
  return { '/password': { PUT: change(deps) } }
}

export const passwordChange = z.strictObject({
  currentPassword: toZodSchema<string>(passwordRule),
  newPassword: toZodSchema<string>(newPasswordRule),
})

const change =
  ({ organizations, session }: PasswordDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, passwordChange)
    const { userId } = getMember(response)
    const identity = await organizations.changePassword(
      { ...typed, userId, ...readClient(request) },
      createCall(response),
    )
    openSession(response, identity, session)
    sendOk(response, {})
  }
