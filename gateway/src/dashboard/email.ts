import { limits } from '@einvoicing/domain/limits'
import type { EmailState } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { nothingAnswer, time } from '../fields/answer-fields'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendAccepted, sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { oneEmail, passwordRule } from './account-rules'
import { readClient } from './client'
import type { SessionRouteDeps } from './deps'
import { at, identity, password, token } from './examples'
import { inTurn } from './password-turns'
import { findSession } from './session'

const read =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    sendOk(response, presentEmail(await organizations.getEmail({ userId }, createCall(response))))
  }

const change =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { email } = await readFields(request, response, oneEmail)
    const { userId } = getMember(response)
    const { clientAddress } = readClient(request)
    const state = await organizations.changeEmail(
      { userId, email, clientAddress },
      createCall(response),
    )
    sendOk(response, presentEmail(state))
  }

const cancel =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    const state = await organizations.cancelEmailChange({ userId }, createCall(response))
    sendOk(response, presentEmail(state))
  }

function presentEmail({ email, pending }: EmailState): z.infer<typeof emailStateSchema> {
  if (!pending) return { email, pending: null }
  const { email: to, unconfirmed, expiresAt } = pending
  return { email, pending: { email: to, unconfirmed, expiresAt } }
}

// In the body: a token in a path would be logged.
const emailVerification = z.strictObject({
  token: toZodSchema<string>(filledText(limits.oneTimeTokenLength)),
  password: toZodSchema<string>(passwordRule).optional(),
})

const newEmail = 'nadia.new@atelier-nord.example'

const resend =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { email } = await readFields(request, response, oneEmail)
    const { clientAddress } = readClient(request)
    await organizations.requestEmailVerification({ email, clientAddress }, createCall(response))
    sendAccepted(response, {})
  }

const verify =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const held = await readFields(request, response, emailVerification)
    const { clientAddress } = readClient(request)
    const proof = { ...held, clientAddress, session: findSession(request, session) }
    const { email, remaining, changed } = await inTurn(response, () =>
      organizations.verifyEmail(proof, createCall(response)),
    )
    sendOk(response, {
      email,
      ...(remaining !== undefined && { remaining }),
      ...(changed && { changed }),
    })
  }

const verifiedSchema = z.object({
  email: z.string(),
  remaining: z
    .string()
    .optional()
    .describe('Of a change of email: the address whose link must be opened too.'),
  changed: z.boolean().optional().describe('true: a change of email is done.'),
})

const emailStateSchema = z.object({
  email: z.string(),
  pending: z
    .object({
      email: z.string().describe('The new address.'),
      unconfirmed: z.array(z.string()).describe('Addresses whose link was not opened yet.'),
      expiresAt: time,
    })
    .nullable()
    .describe('A change that waits for its links; null: none.'),
})

const emailStateAnswer = {
  name: 'EmailState',
  schema: emailStateSchema,
  examples: {
    unchanged: { email: identity.email, pending: null },
    pending: {
      email: identity.email,
      pending: { email: newEmail, unconfirmed: [identity.email, newEmail], expiresAt: at },
    },
  },
}

export const emailChangeRoutes: ApiTable<SessionRouteDeps> = {
  '/email/change': {
    GET: {
      handle: read,
      operationId: 'readEmail',
      summary: 'Read your email, and a change of it that is not done.',
      description: 'A change is valid for 24 hours, until a newer one, and until a new password.',
      answer: emailStateAnswer,
    },
    POST: {
      handle: change,
      operationId: 'changeEmail',
      summary: 'Change your email.',
      description:
        'Where mail is sent by SMTP, a link goes to the old and one to the new address: the change is done when both were given to POST email/verify. The answer does not show whether the new address has an account. Elsewhere the change is done at once, and an address that has an account is EMAIL_TAKEN.',
      body: {
        name: 'EmailChange',
        schema: oneEmail,
        examples: { change: { email: newEmail } },
      },
      answer: emailStateAnswer,
      errors: ['CONFIRMATION_REQUIRED', 'EMAIL_TAKEN', 'TOO_MANY_ATTEMPTS'],
    },
    DELETE: {
      handle: cancel,
      operationId: 'cancelEmailChange',
      summary: 'Cancel a change of your email. Idempotent.',
      description: 'Its links no longer work.',
      answer: emailStateAnswer,
    },
  },
}

export const emailRoutes: ApiTable<SessionRouteDeps> = {
  '/email/verify': {
    POST: {
      handle: verify,
      operationId: 'verifyEmail',
      summary: 'Verify an email by the token of the link that was mailed to it.',
      description:
        'Of an account, or of a change of email (`remaining`, `changed`). The token is valid for 24 hours and works once. In a browser that is not signed in to the account, `password` is needed too: a wrong one counts as a failed sign-in.',
      body: {
        name: 'EmailVerification',
        schema: emailVerification,
        examples: { signedIn: { token }, otherBrowser: { token, password } },
      },
      answer: {
        name: 'VerifiedEmail',
        schema: verifiedSchema,
        examples: { verified: { email: identity.email } },
      },
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
  '/email/resend': {
    POST: {
      handle: resend,
      operationId: 'resendEmailVerification',
      summary: 'Request another link to verify an email.',
      description:
        'The answer is the same for any email, at once. A message is sent if the email has a user who has not verified it.',
      body: {
        name: 'EmailUnverified',
        schema: oneEmail,
        examples: { email: { email: identity.email } },
      },
      answer: { ...nothingAnswer, status: 202 },
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
}
