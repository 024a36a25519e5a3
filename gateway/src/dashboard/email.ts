import { limits } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { nothing } from '../fields/answer-fields'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendAccepted, sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { newEmailRule, passwordRule } from './account-rules'
import { findOpenSession } from './accounts'
import { readClient } from './client'
import { identity, password, token } from './examples'
import type { SessionDeps } from './session'

export interface EmailDeps {
  organizations: Service<OrganizationsService>
  session: SessionDeps
}

export const emailUnverified = z.strictObject({ email: toZodSchema<string>(newEmailRule) })

// In the body: a token in a path would be logged.
export const emailVerification = z.strictObject({
  token: toZodSchema<string>(filledText(limits.invitationTokenLength)),
  password: toZodSchema<string>(passwordRule).optional(),
})

const resend =
  ({ organizations }: EmailDeps): Handle =>
  async (request, response) => {
    const { email } = await readFields(request, response, emailUnverified)
    const { clientAddress } = readClient(request)
    await organizations.requestEmailVerification({ email, clientAddress }, createCall(response))
    sendAccepted(response, {})
  }

const verify =
  ({ organizations, session }: EmailDeps): Handle =>
  async (request, response) => {
    const held = await readFields(request, response, emailVerification)
    const { clientAddress } = readClient(request)
    const { email } = await organizations.verifyEmail(
      { ...held, clientAddress, session: findOpenSession(request, session) },
      createCall(response),
    )
    sendOk(response, { email })
  }

const verifiedSchema = z.object({ email: z.string() })

export const emailRoutes: ApiTable<EmailDeps> = {
  '/email/verify': {
    POST: {
      handle: verify,
      operationId: 'verifyEmail',
      summary: 'Verify an email by the token of the link that was mailed to it.',
      description:
        'The token is valid for 24 hours and works once. In a browser that is not signed in to the account, `password` is needed too: a wrong one counts as a failed sign-in.',
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
        schema: emailUnverified,
        examples: { email: { email: identity.email } },
      },
      answer: { name: 'Nothing', schema: nothing, examples: { nothing: {} }, status: 202 },
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
}
