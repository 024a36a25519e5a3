/** One's own password, changed: this session goes on, every other one of the user ends. */

import type { Service } from '@einvoicing/rpc/call'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { ruled } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { callFor, memberOf } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { newPassword, password } from './account-rules'
import { clientOf } from './client'
import { openSession, type SessionDeps } from './session'

export interface PasswordDeps {
  organizations: Service<OrganizationsService>
  session: SessionDeps
}

export function passwordRoutes(deps: PasswordDeps): RouteTable {
  return { '/password': { PUT: change(deps) } }
}

export const passwordChange = z.strictObject({
  currentPassword: ruled<string>(password),
  newPassword: ruled<string>(newPassword),
})

const change =
  ({ organizations, session }: PasswordDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, passwordChange)
    const { userId } = memberOf(response)
    const identity = await organizations.changePassword(
      { ...typed, userId, ...clientOf(request) },
      callFor(response),
    )
    openSession(response, identity, session)
    sendOk(response, {})
  }
