/**
 * Who belongs to the organization: listed, invited, given another role, removed. The token of an
 * invitation is shown once, in the answer that makes it.
 */

import { ApiError } from '@einvoicing/domain/api-error'
import { roles, type Role } from '@einvoicing/domain/role'
import type { Service } from '@einvoicing/rpc/call'
import type { Member, OrganizationsService } from '@einvoicing/proto/organizations'
import type { Request } from 'express'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { oneOf, toZodSchema } from '../fields/rules'
import { isUuid } from '../fields/uuid'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { newEmailRule } from './account-rules'

export function memberRoutes(organizations: Service<OrganizationsService>): RouteTable {
  return {
    '/members': { GET: list(organizations), POST: invite(organizations) },
    '/members/:id': { PUT: changeRole(organizations), DELETE: remove(organizations) },
  }
}

const role = toZodSchema<Role>(oneOf(roles))

export const newMember = z.strictObject({ email: toZodSchema<string>(newEmailRule), role })

export const memberChange = z.strictObject({ role })

const list =
  (organizations: Service<OrganizationsService>): Handle =>
  async (_, response) => {
    const { members } = await organizations.listMembers({}, createCall(response))
    const { userId } = getMember(response)
    sendOk(response, { content: members.map((member) => presentMember(member, userId)) })
  }

const invite =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    const invited = await readFields(request, response, newMember)
    const { member, invitationToken } = await organizations.inviteMember(
      { ...invited, clientAddress: request.ip ?? '' },
      createCall(response),
    )
    if (!member) throw new Error('an invitation was made without its member')
    const { userId } = getMember(response)
    sendCreated(response, { ...presentMember(member, userId), invitationToken })
  }

const changeRole =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    const memberId = readMemberId(request)
    const changed = await readFields(request, response, memberChange)
    const member = await organizations.changeMemberRole(
      { memberId, role: changed.role },
      createCall(response),
    )
    sendOk(response, presentMember(member, getMember(response).userId))
  }

const remove =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    await organizations.removeMember({ memberId: readMemberId(request) }, createCall(response))
    sendOk(response, {})
  }

function readMemberId(request: Request): string {
  const id = String(request.params['id']).toLowerCase()
  if (isUuid(id)) return id
  throw new ApiError(
    'MEMBER_NOT_FOUND',
    'No member or invitation with this id exists in your organization.',
  )
}

export function presentMember(member: Member, userId: string) {
  const { id, email, role: theirs, createdAt, invitationExpiresAt } = member
  return {
    id,
    email,
    role: theirs,
    status: invitationExpiresAt === undefined ? 'ACTIVE' : 'INVITED',
    createdAt,
    invitationExpiresAt: invitationExpiresAt ?? null,
    isSelf: id === userId,
  }
}
