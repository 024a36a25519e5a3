import { limits } from '@einvoicing/domain/limits'
import type { Invitation } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendAccepted, sendCreated, sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { newPasswordRule, oneEmail } from './account-rules'
import { presentSignedIn, signedInAnswer } from './accounts'
import { authenticateSession } from './authenticate-session'
import { readClient } from './client'
import type { AccountDeps } from './deps'
import { inTurn } from './password-turns'
import { replaceSession } from './replace-session'
import { setSessionCookie } from './session'
import { nothingAnswer, time } from '../fields/answer-fields'
import type { ApiTable } from '../routes/api-route'
import { identity, invitedMember, newPassword, token } from './examples'
import { toOrigin } from './page-origin'
import { roleSchema } from './role-schema'

const tokenSchema = toZodSchema<string>(filledText(limits.oneTimeTokenLength))

// In the body: a token in a path would be logged.
const invitationHeld = z.strictObject({ token: tokenSchema })

const invitationAccepted = z.strictObject({
  token: tokenSchema,
  password: toZodSchema<string>(
    newPasswordRule,
    'A new password, or the password of your existing account.',
  ).optional(),
})

const passwordReset = z.strictObject({
  token: tokenSchema,
  password: toZodSchema<string>(newPasswordRule),
})

const forgotPassword =
  ({ organizations }: AccountDeps): Handle =>
  async (request, response) => {
    const { email } = await readFields(request, response, oneEmail)
    const { clientAddress } = readClient(request)
    await organizations.requestPasswordReset({ email, clientAddress }, createCall(response))
    sendAccepted(response, {})
  }

const resetPassword =
  ({ organizations }: AccountDeps): Handle =>
  async (request, response) => {
    const reset = await readFields(request, response, passwordReset)
    const { clientAddress } = readClient(request)
    await inTurn(response, () =>
      organizations.resetPassword({ ...reset, clientAddress }, createCall(response)),
    )
    sendOk(response, {})
  }

const read =
  ({ organizations }: AccountDeps): Handle =>
  async (request, response) => {
    const held = await readFields(request, response, invitationHeld)
    const invitation = await organizations.readInvitation(
      { ...held, clientAddress: readClient(request).clientAddress },
      createCall(response),
    )
    sendOk(response, presentInvitation(invitation))
  }

const accept =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    const { token, password } = await readFields(request, response, invitationAccepted)
    const { userId } =
      password === undefined ? await authenticateSession(deps, request, response) : {}
    const origin = toOrigin(request, deps.session)
    const accepted = { token, password: password ?? '', userId, origin, ...readClient(request) }
    const identity = await inTurn(response, () =>
      deps.organizations.acceptInvitation(accepted, createCall(response)),
    )
    // A session that accepts is continued in the new organization.
    if (userId !== undefined) setSessionCookie(response, identity, deps.session)
    else await replaceSession(deps, response, identity)
    sendCreated(response, presentSignedIn(identity, deps.environment))
  }

const invitationSchema = z.object({
  organizationName: z.string(),
  email: z.string(),
  role: roleSchema,
  expiresAt: time,
})

function presentInvitation(invitation: Invitation): z.infer<typeof invitationSchema> {
  const { organizationName, email, role, expiresAt } = invitation
  return { organizationName, email, role, expiresAt }
}

const { email, role } = invitedMember
const invitationExample = {
  organizationName: identity.organizationName,
  email,
  role,
  expiresAt: invitedMember.invitationExpiresAt,
}

export const invitationRoutes: ApiTable<AccountDeps> = {
  '/invitation/read': {
    POST: {
      handle: read,
      operationId: 'readInvitation',
      summary: 'Read the organization and role that an invitation token is for.',
      description: 'Changes nothing. It is a POST so that the token does not appear in URL logs.',
      body: { name: 'InvitationHeld', schema: invitationHeld, examples: { token: { token } } },
      answer: {
        name: 'Invitation',
        schema: invitationSchema,
        examples: { invitation: invitationExample },
      },
      errors: ['INVITATION_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
    },
  },
  '/invitation': {
    POST: {
      handle: accept,
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation, and open a session in its organization.',
      description:
        'Works once, for the email of the invitation. If the email has no account, `password` is its new password. If it has one, send the password of the account, or omit `password` in a session of the account: the session switches to the new organization. If the account has a second factor, its password does not open a session: complete it with POST session/second-factor, then accept in that session.',
      body: {
        name: 'InvitationAccepted',
        schema: invitationAccepted,
        examples: { accepted: { token, password: newPassword }, inSession: { token } },
      },
      answer: {
        ...signedInAnswer({ joined: { ...identity, userId: invitedMember.id, email, role } }),
        status: 201,
      },
      errors: [
        'INVITATION_NOT_FOUND',
        'SESSION_MISSING',
        'SESSION_INVALID',
        'CREDENTIALS_INVALID',
        'EMAIL_NOT_VERIFIED',
        'SECOND_FACTOR_REQUIRED',
        'ORGANIZATION_SWITCHED',
        'EMAIL_TAKEN',
        'TOO_MANY_ATTEMPTS',
      ],
    },
  },
  '/password/forgot': {
    POST: {
      handle: forgotPassword,
      operationId: 'requestPasswordReset',
      summary: 'Send a link by mail that sets a new password.',
      description:
        'The answer is the same whether or not the email has a user. The link is valid for 30 minutes and works once.',
      body: {
        name: 'PasswordForgotten',
        schema: oneEmail,
        examples: { forgotten: { email } },
      },
      answer: { ...nothingAnswer, status: 202 },
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
  '/password/reset': {
    POST: {
      handle: resetPassword,
      operationId: 'resetPassword',
      summary: 'Set a new password with a one-time token.',
      description:
        'The link comes by mail or from the operator, valid for 30 minutes or until the password changes. All sessions of the user end. An invalid token returns VALIDATION_ERROR.',
      body: {
        name: 'PasswordReset',
        schema: passwordReset,
        examples: { reset: { token, password: newPassword } },
      },
      answer: nothingAnswer,
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
}
