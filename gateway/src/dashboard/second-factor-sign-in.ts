import { createValidationError } from '@einvoicing/domain/validation-error'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { openedAnswer, presentOpened } from './accounts'
import { readClient } from './client'
import type { AccountDeps } from './deps'
import { toOrigin } from './page-origin'
import {
  assertion,
  assertionExample,
  passkeyOptionsAnswer,
  readOptions,
  requestOptionsExample,
  toAssertionText,
} from './passkey-answers'
import { inTurn } from './password-turns'
import { replaceSession } from './replace-session'
import { readHalfOpen } from './session'

export const codeRule = filledText(32)

const secondFactor = z
  .strictObject({
    code: toZodSchema<string>(codeRule, 'Six digits of the authenticator app.').optional(),
    recoveryCode: toZodSchema<string>(codeRule, 'Works once.').optional(),
    passkey: assertion.optional(),
  })
  .meta({ minProperties: 1, maxProperties: 1 })

const passkeySignIn = z.strictObject({ passkey: assertion })

const giveSecondFactor =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    const halfOpen = readHalfOpen(request, deps.session)
    const typed = await readFields(request, response, secondFactor)
    checkOne(typed, 'code', 'is required, or recoveryCode or passkey: exactly one of the three')
    const { code, recoveryCode, passkey } = typed
    const proof = {
      halfOpen,
      code,
      recoveryCode,
      passkey: passkey && toAssertionText(passkey),
      origin: toOrigin(request, deps.session),
      ...readClient(request),
    }
    const identity = await inTurn(response, () =>
      deps.organizations.completeSignIn(proof, createCall(response)),
    )
    await replaceSession(deps, response, identity)
    sendOk(response, presentOpened(identity, deps.environment))
  }

const offerPasskey =
  ({ organizations, session }: AccountDeps): Handle =>
  async (request, response) => {
    const place = { origin: toOrigin(request, session) }
    const { options } = await organizations.offerPasskeySignIn(place, createCall(response))
    sendOk(response, readOptions(options))
  }

const signInWithPasskey =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    const { passkey } = await readFields(request, response, passkeySignIn)
    const identity = await deps.organizations.signInWithPasskey(
      {
        passkey: toAssertionText(passkey),
        origin: toOrigin(request, deps.session),
        ...readClient(request),
      },
      createCall(response),
    )
    await replaceSession(deps, response, identity)
    sendOk(response, presentOpened(identity, deps.environment))
  }

/** Throws `VALIDATION_ERROR` for `field` unless one of the fields is sent. */
export function checkOne(fields: object, field: string, message: string): void {
  const given = Object.values(fields).filter((value) => value !== undefined)
  if (given.length !== 1) throw createValidationError([{ field, message }])
}

export const secondFactorSignInRoutes: ApiTable<AccountDeps> = {
  '/session/second-factor': {
    POST: {
      handle: giveSecondFactor,
      operationId: 'giveSecondFactor',
      summary: 'Complete signing in with a second factor.',
      description:
        'Call it within five minutes after POST session answered `secondFactor`, with the cookie of that answer, which no other call accepts. The session gets a new cookie. A code, a recovery code and an answer of a passkey each work once. A wrong one returns CREDENTIALS_INVALID and counts as a failed attempt.',
      body: {
        name: 'SecondFactor',
        schema: secondFactor,
        examples: {
          code: { code: '492039' },
          recoveryCode: { recoveryCode: '7k2mq-9xw4t' },
          passkey: { passkey: assertionExample },
        },
      },
      answer: openedAnswer,
      errors: ['SESSION_MISSING', 'SESSION_INVALID', 'CREDENTIALS_INVALID', 'TOO_MANY_ATTEMPTS'],
    },
  },
  '/session/passkey/options': {
    POST: {
      handle: offerPasskey,
      operationId: 'offerPasskeySignIn',
      summary: 'Get the WebAuthn options to sign in with a passkey.',
      description: 'Valid for five minutes and one sign-in. They name no user.',
      answer: passkeyOptionsAnswer(requestOptionsExample),
    },
  },
  '/session/passkey': {
    POST: {
      handle: signInWithPasskey,
      operationId: 'signInWithPasskey',
      summary: 'Sign in with a passkey, without a password.',
      description:
        'A passkey proves possession and verifies its user, so no second factor is needed.',
      body: {
        name: 'PasskeySignIn',
        schema: passkeySignIn,
        examples: { passkey: { passkey: assertionExample } },
      },
      answer: openedAnswer,
      errors: ['CREDENTIALS_INVALID'],
    },
  },
}
