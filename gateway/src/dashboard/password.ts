import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { toZodSchema } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { newPasswordRule, passwordRule } from './account-rules'
import { readClient } from './client'
import type { SessionRouteDeps } from './deps'
import { inTurn } from './password-turns'
import { setSessionCookie } from './session'
import { nothingAnswer } from '../fields/answer-fields'
import type { ApiTable } from '../routes/api-route'
import { newPassword, password } from './examples'

const passwordChange = z.strictObject({
  currentPassword: toZodSchema<string>(passwordRule),
  newPassword: toZodSchema<string>(newPasswordRule),
})

const change =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, passwordChange)
    const { userId } = getMember(response)
    const identity = await inTurn(response, () =>
      organizations.changePassword(
        { ...typed, userId, ...readClient(request) },
        createCall(response),
      ),
    )
    setSessionCookie(response, identity, session)
    sendOk(response, {})
  }

export const passwordRoutes: ApiTable<SessionRouteDeps> = {
  '/password': {
    PUT: {
      handle: change,
      operationId: 'changePassword',
      summary: 'Change your own password.',
      description:
        'A wrong current password returns VALIDATION_ERROR and counts as a failed sign-in. All other sessions of the user end; this one continues with the new cookie.',
      body: {
        name: 'PasswordChange',
        schema: passwordChange,
        examples: { change: { currentPassword: password, newPassword } },
      },
      answer: { ...nothingAnswer, headers: ['Set-Cookie'] },
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
}
