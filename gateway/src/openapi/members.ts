/** The paths of an organization's people: members, invitations, and one's own password. */

import { identity, requestedWith } from './accounts'
import { operation, type Parameter, type Paths } from './operation'
import { uuid } from './shapes'

const tag = 'Dashboard'
const byMember = { tag, caller: 'session', parameters: [requestedWith] } as const
const byInvited = { tag, caller: 'anyone', parameters: [requestedWith] } as const
const forOwners = ['CSRF_REFUSED', 'FORBIDDEN'] as const

const token = 'Zk3v0mJ8pYq2Wc7tLr5nXe1aSd9fGh4uKb6iVo0wMzE'
const role = 'MEMBER'
const owner = {
  id: identity.userId,
  email: identity.email,
  role: identity.role,
  status: 'ACTIVE',
  createdAt: '2026-05-03T09:30:00.000Z',
  invitationExpiresAt: null,
  isSelf: true,
}
const invited = {
  id: 'c7d2e9a4-1f3b-4a58-8e6d-9b0c1d2e3f4a',
  email: 'karim@example.com',
  role,
  status: 'INVITED',
  createdAt: '2026-05-04T08:00:00.000Z',
  invitationExpiresAt: '2026-05-11T08:00:00.000Z',
  isSelf: false,
}
const joined = { ...identity, userId: invited.id, email: invited.email, role }

const memberId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Of a member, or of an invitation that nobody took yet.',
  schema: uuid,
}
const ofOne = { ...byMember, parameters: [memberId, requestedWith] }

export const memberPaths: Paths = {
  '/dashboard/api/members': {
    get: operation({
      tag,
      caller: 'session',
      id: 'listMembers',
      summary: 'Who belongs to the organization, and who is invited to.',
      description: 'Members first, then invitations, each oldest first; 200 at most.',
      answer: { data: 'Members', examples: { members: { content: [owner, invited] } } },
    }),
    post: operation({
      ...byMember,
      id: 'inviteMember',
      summary: 'Invite someone by email.',
      description:
        'The token is told this once and holds for seven days: hand over the link /dashboard/invitation#TOKEN, for we send no mail. Inviting an invited email again renews token and role, and ends the earlier token.',
      body: { schema: 'NewMember', examples: { member: { email: invited.email, role } } },
      answer: {
        status: 201,
        data: 'InvitedMember',
        examples: { invited: { ...invited, invitationToken: token } },
        links: ['changeMemberRole', 'removeMember'],
      },
      refusals: [...forOwners, 'EMAIL_TAKEN', 'TOO_MANY_ATTEMPTS'],
    }),
  },
  '/dashboard/api/members/{id}': {
    put: operation({
      ...ofOne,
      id: 'changeMemberRole',
      summary: 'Give a member, or an invitation, another role.',
      description: 'It holds from their next request on. The last OWNER stays one.',
      body: { schema: 'MemberChange', examples: { role: { role: 'READ_ONLY' } } },
      answer: { data: 'Member', examples: { member: { ...invited, role: 'READ_ONLY' } } },
      refusals: [...forOwners, 'MEMBER_NOT_FOUND', 'LAST_OWNER'],
    }),
    delete: operation({
      ...ofOne,
      id: 'removeMember',
      summary: 'Remove a member, or withdraw an invitation.',
      description:
        'Their sessions end with their next request. What they did stays, and so do the API keys they made.',
      answer: { data: 'Nothing', examples: { nothing: {} } },
      refusals: [...forOwners, 'MEMBER_NOT_FOUND', 'LAST_OWNER'],
    }),
  },
  '/dashboard/api/invitation/read': {
    post: operation({
      ...byInvited,
      id: 'readInvitation',
      summary: 'What an invitation is to, for whoever holds its token.',
      description: 'Changes nothing; a POST only so that the token stands in no log of addresses.',
      body: { schema: 'InvitationHeld', examples: { token: { token } } },
      answer: {
        data: 'Invitation',
        examples: {
          invitation: {
            organizationName: identity.organizationName,
            email: invited.email,
            role,
            expiresAt: invited.invitationExpiresAt,
          },
        },
      },
      refusals: ['CSRF_REFUSED', 'INVITATION_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
    }),
  },
  '/dashboard/api/invitation': {
    post: operation({
      ...byInvited,
      id: 'acceptInvitation',
      summary: 'Join the organization with a password; opens a session.',
      description: 'Works once. The email is that of the invitation.',
      body: {
        schema: 'InvitationAccepted',
        examples: { accepted: { token, password: 'saffron and cedar' } },
      },
      answer: {
        status: 201,
        data: 'Identity',
        examples: { joined },
        headers: ['Set-Cookie'],
      },
      refusals: ['CSRF_REFUSED', 'INVITATION_NOT_FOUND', 'EMAIL_TAKEN', 'TOO_MANY_ATTEMPTS'],
    }),
  },
  '/dashboard/api/password/reset': {
    post: operation({
      ...byInvited,
      id: 'resetPassword',
      summary: 'Set a new password by a one-time link.',
      description:
        'The operator makes the link, which holds for 30 minutes and until the password is changed. Every session of the user ends. A token that does not hold is VALIDATION_ERROR.',
      body: {
        schema: 'PasswordReset',
        examples: { reset: { token, password: 'saffron and cedar' } },
      },
      answer: { data: 'Nothing', examples: { nothing: {} } },
      refusals: ['CSRF_REFUSED', 'TOO_MANY_ATTEMPTS'],
    }),
  },
  '/dashboard/api/password': {
    put: operation({
      ...byMember,
      id: 'changePassword',
      summary: "Change one's own password.",
      description:
        'A wrong current one is VALIDATION_ERROR and counts as a wrong sign-in. Every other session of the user ends; this one goes on by the new cookie.',
      body: {
        schema: 'PasswordChange',
        examples: { change: { currentPassword: 'orange blossom', newPassword: 'rose of Kelaa' } },
      },
      answer: { data: 'Nothing', examples: { nothing: {} }, headers: ['Set-Cookie'] },
      refusals: ['CSRF_REFUSED', 'TOO_MANY_ATTEMPTS'],
    }),
  },
}
