import { memberNotFound } from '@einvoicing/domain/account-errors'
import { roles, type Role } from '@einvoicing/domain/role'
import type { Member } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { oneOf, toZodSchema } from '../fields/rules'
import { idParameter, readPathId } from '../fields/uuid'
import { sendAccepted, sendCreated, sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { newEmailRule } from './account-rules'
import { readClient } from './client'
import { listOf, nothingAnswer, textOneOf, time, uuid } from '../fields/answer-fields'
import type { ApiTable } from '../routes/api-route'
import type { OrganizationsDeps } from './deps'
import { at, identity, invitedMember, token } from './examples'
import { endedSessionsAnswer } from './own-sessions'
import { roleSchema } from './role-schema'

const role = toZodSchema<Role>(oneOf(roles))

const newMember = z.strictObject({ email: toZodSchema<string>(newEmailRule), role })

const memberChange = z.strictObject({ role })

const list =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (_, response) => {
    const { members } = await organizations.listMembers({}, createCall(response))
    const { userId } = getMember(response)
    sendOk(response, { content: members.map((member) => presentMember(member, userId)) })
  }

const invite =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const invited = await readFields(request, response, newMember)
    const { member, invitationToken } = await organizations.inviteMember(
      { ...invited, clientAddress: readClient(request).clientAddress },
      createCall(response),
    )
    if (!member) throw new Error('an invitation was made without its member')
    const { userId } = getMember(response)
    const answer: z.infer<typeof invitedMemberSchema> = {
      ...presentMember(member, userId),
      invitationToken,
    }
    sendCreated(response, answer)
  }

const changeRole =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const memberId = readPathId(request, memberNotFound)
    const changed = await readFields(request, response, memberChange)
    const member = await organizations.changeMemberRole(
      { memberId, role: changed.role },
      createCall(response),
    )
    sendOk(response, presentMember(member, getMember(response).userId))
  }

const remove =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    await organizations.removeMember(
      { memberId: readPathId(request, memberNotFound) },
      createCall(response),
    )
    sendOk(response, {})
  }

const endSessions =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const memberId = readPathId(request, memberNotFound)
    const { count } = await organizations.endMemberSessions({ memberId }, createCall(response))
    sendOk(response, { ended: count })
  }

const sendReset =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const memberId = readPathId(request, memberNotFound)
    const { userId } = getMember(response)
    const { clientAddress } = readClient(request)
    await organizations.sendMemberReset({ userId, memberId, clientAddress }, createCall(response))
    sendAccepted(response, {})
  }

const memberSchema = z.object({
  id: uuid,
  email: z.string(),
  role: roleSchema,
  status: textOneOf(['ACTIVE', 'INVITED']),
  createdAt: time,
  invitationExpiresAt: time.nullable().describe('null once the member has joined.'),
  isSelf: z.boolean().describe('Whether this is the current user.'),
})

const invitedMemberSchema = memberSchema.extend({
  invitationToken: z
    .string()
    .describe('Returned only once. Send it to the invited person yourself: no email is sent.'),
})

function presentMember(member: Member, userId: string): z.infer<typeof memberSchema> {
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

const { email } = invitedMember
const owner = {
  id: identity.userId,
  email: identity.email,
  role: identity.role,
  status: 'ACTIVE',
  createdAt: at,
  invitationExpiresAt: null,
  isSelf: true,
}

const memberId = idParameter('Of a member, or of an invitation not accepted yet.')

export const memberRoutes: ApiTable<OrganizationsDeps> = {
  '/members': {
    GET: {
      handle: list,
      operationId: 'listMembers',
      summary: 'List the members of the organization and its open invitations.',
      description: 'Members first, then invitations, each oldest first; 200 at most.',
      answer: {
        name: 'Members',
        schema: listOf(memberSchema),
        examples: { members: { content: [owner, invitedMember] } },
      },
    },
    POST: {
      handle: invite,
      operationId: 'inviteMember',
      summary: 'Invite a person by email.',
      description:
        'The token is returned only once and is valid for seven days. Send the link /dashboard/invitation#TOKEN yourself: no email is sent. Inviting the same email again replaces token and role. If the email has an account, the account joins one more organization; if it is already a member, the answer is EMAIL_TAKEN.',
      body: {
        name: 'NewMember',
        schema: newMember,
        examples: { member: { email, role: invitedMember.role } },
      },
      answer: {
        status: 201,
        name: 'InvitedMember',
        schema: invitedMemberSchema,
        examples: { invited: { ...invitedMember, invitationToken: token } },
        links: ['changeMemberRole', 'removeMember'],
      },
      errors: ['EMAIL_TAKEN', 'TOO_MANY_ATTEMPTS', 'CONFIRMATION_REQUIRED'],
    },
  },
  '/members/:id': {
    PUT: {
      handle: changeRole,
      operationId: 'changeMemberRole',
      summary: 'Change the role of a member or of an invitation.',
      description: 'Effective from their next request. The last OWNER keeps the role.',
      parameters: [memberId],
      body: {
        name: 'MemberChange',
        schema: memberChange,
        examples: { role: { role: 'READ_ONLY' } },
      },
      answer: {
        name: 'Member',
        schema: memberSchema,
        examples: { member: { ...invitedMember, role: 'READ_ONLY' } },
      },
      errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'CONFIRMATION_REQUIRED'],
    },
    DELETE: {
      handle: remove,
      operationId: 'removeMember',
      summary: 'Remove a member, or withdraw an invitation.',
      description:
        'Their sessions in this organization end with their next request; those in others stay. The invoices and API keys they created stay.',
      parameters: [memberId],
      answer: nothingAnswer,
      errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'CONFIRMATION_REQUIRED'],
    },
  },
  '/members/:id/sessions': {
    DELETE: {
      handle: endSessions,
      operationId: 'endMemberSessions',
      summary: 'End all sessions of a member in this organization.',
      description: 'For a device that was lost. The member stays, and can sign in again.',
      parameters: [memberId],
      answer: endedSessionsAnswer,
      errors: ['MEMBER_NOT_FOUND'],
    },
  },
  '/members/:id/password-reset': {
    POST: {
      handle: sendReset,
      operationId: 'sendMemberReset',
      summary: 'Have a link for a new password mailed to a member.',
      description:
        'The link is valid for 30 minutes and works once; it goes to the member alone. Where no mail is sent: VALIDATION_ERROR.',
      parameters: [memberId],
      answer: { ...nothingAnswer, status: 202 },
      errors: [
        'MEMBER_NOT_FOUND',
        'CONFIRMATION_REQUIRED',
        'TOO_MANY_ATTEMPTS',
        'VALIDATION_ERROR',
      ],
    },
  },
}
