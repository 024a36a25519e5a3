import { environments, type Environment } from '@einvoicing/domain/environment'
import { limits } from '@einvoicing/domain/limits'
import type { Identity, Membership } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall, type SignedIn } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { emailRule, newEmailRule, newPasswordRule, passwordRule } from './account-rules'
import { authenticateSession } from './authenticate-session'
import { readClient } from './client'
import type { AccountDeps } from './deps'
import { endSession, replaceSession } from './replace-session'
import { clearSessionCookie } from './session'
import { nothingAnswer, textOneOf, time, uuid } from '../fields/answer-fields'
import type { ApiTable, Examples } from '../routes/api-route'
import { identity, password } from './examples'
import { toOrigin } from './page-origin'
import { readOptions, webauthnOptions } from './passkey-answers'
import { inTurn } from './password-turns'
import { membershipSchema, presentMembership } from './membership-schema'
import { roleSchema } from './role-schema'

const newAccount = z.strictObject({
  organizationName: toZodSchema<string>(filledText(limits.mentionLength)),
  email: toZodSchema<string>(newEmailRule),
  password: toZodSchema<string>(newPasswordRule),
})

// Signing in does not check the password's length: the answer would say how long it must be.
const credentials = z.strictObject({
  email: toZodSchema<string>(emailRule),
  password: toZodSchema<string>(passwordRule),
})

const signUp =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    const account = await readFields(request, response, newAccount)
    const identity = await inTurn(response, () =>
      deps.organizations.signUp({ ...account, ...readClient(request) }, createCall(response)),
    )
    await replaceSession(deps, response, identity)
    sendCreated(response, presentOpened(identity, deps.environment))
  }

const signIn =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, credentials)
    const origin = toOrigin(request, deps.session)
    const identity = await inTurn(response, () =>
      deps.organizations.signIn({ ...typed, origin, ...readClient(request) }, createCall(response)),
    )
    await replaceSession(deps, response, identity)
    sendOk(response, presentSignedIn(identity, deps.environment))
  }

const readIdentity =
  (deps: AccountDeps): Handle =>
  async (request, response) => {
    const signedIn = await authenticateSession(deps, request, response)
    const { userId } = signedIn
    const { memberships } = await deps.organizations.listMemberships(
      { userId },
      createCall(response),
    )
    sendOk(response, presentIdentity(signedIn, memberships, deps.environment))
  }

/** Idempotent. The cookie stays if the session cannot be ended now. */
const signOut =
  (deps: AccountDeps): Handle =>
  async (_, response) => {
    await endSession(deps, response)
    clearSessionCookie(response, deps.session)
    sendOk(response, {})
  }

export function presentSignedIn(identity: Identity, environment: Environment) {
  return identity.halfOpen === undefined
    ? presentOpened(identity, environment)
    : presentFactors(identity)
}

export function presentOpened(identity: Identity, environment: Environment) {
  const { memberships, sessionExpiresAt: expiresAt } = identity
  return presentIdentity({ ...identity, expiresAt }, memberships, environment)
}

function presentFactors({
  secondFactors,
  passkeyOptions,
}: Identity): z.infer<typeof factorsNeededSchema> {
  return {
    secondFactor: secondFactors,
    ...(passkeyOptions !== undefined && { passkeyOptions: readOptions(passkeyOptions) }),
  }
}

const factorsNeededSchema = z
  .object({
    secondFactor: z.array(textOneOf(['totp', 'passkey', 'recovery'])),
    passkeyOptions: webauthnOptions.optional(),
  })
  .describe('The session is not open yet: send one of these to POST session/second-factor.')

export const identitySchema = z.object({
  organizationId: uuid,
  organizationName: z.string(),
  userId: uuid,
  email: z.string(),
  role: roleSchema,
  expiresAt: time.describe('When the session reaches its maximum age.'),
  environment: z
    .enum(environments)
    .describe('`test`: invoices go to a simulator and have no legal value.'),
  secondFactorMissing: z
    .boolean()
    .describe(
      'Whether the organization requires a second factor that the user has not set up: until then other calls get 403 SECOND_FACTOR_REQUIRED.',
    ),
  emailUnverified: z
    .boolean()
    .describe(
      'Whether the email must be verified by the link that was mailed: until then other calls get 403 EMAIL_NOT_VERIFIED. Always false if no mail is sent by SMTP.',
    ),
  memberships: z
    .array(membershipSchema)
    .describe('The organizations of the user: POST session/organization switches to another one.'),
})

function presentIdentity(
  signedIn: SignedIn,
  memberships: readonly Membership[],
  environment: Environment,
): z.infer<typeof identitySchema> {
  const { organizationId, organizationName, userId, email, role, expiresAt } = signedIn
  const { secondFactorMissing = false, emailUnverified = false } = signedIn
  const who = { organizationId, organizationName, userId, email, role, expiresAt }
  const listed = memberships.map(presentMembership)
  const missing = { secondFactorMissing, emailUnverified }
  return { ...who, environment, ...missing, memberships: listed }
}

const credentialsExample = { email: identity.email, password }
const identityAnswer = { name: 'Identity', schema: identitySchema, examples: { identity } }

export const openedAnswer = { ...identityAnswer, headers: ['Set-Cookie'] } as const

export const signedInAnswer = (opened: Examples) =>
  ({
    name: 'SignedIn',
    schema: z.union([identitySchema, factorsNeededSchema]),
    examples: { ...opened, secondFactor: { secondFactor: ['totp', 'recovery'] } },
    headers: ['Set-Cookie'],
  }) as const

export const accountRoutes: ApiTable<AccountDeps> = {
  '/signup': {
    POST: {
      handle: signUp,
      operationId: 'signUp',
      summary: 'Create an organization and its first user, who is its OWNER.',
      description:
        'Signs the user in. Fill in the legal details next: no invoice can be signed until they are complete.',
      body: {
        name: 'NewAccount',
        schema: newAccount,
        examples: {
          account: { organizationName: identity.organizationName, ...credentialsExample },
        },
      },
      answer: { ...openedAnswer, status: 201 },
      errors: ['EMAIL_TAKEN', 'SIGNUP_CLOSED', 'TOO_MANY_ATTEMPTS'],
    },
  },
  '/session': {
    GET: {
      handle: readIdentity,
      caller: 'session',
      operationId: 'readSession',
      summary: 'Read the current user and their role.',
      description:
        'The session is checked on every request: signing out, removing a member, a new role and a new password take effect at once.',
      answer: identityAnswer,
    },
    POST: {
      handle: signIn,
      operationId: 'signIn',
      summary: 'Sign in and open a session.',
      description:
        'For security the answer does not say whether the email or the password was wrong. Too many attempts return 429. A user with a second factor gets `secondFactor` instead of a session: complete it with POST session/second-factor.',
      body: {
        name: 'Credentials',
        schema: credentials,
        examples: { credentials: credentialsExample },
      },
      answer: signedInAnswer({ identity }),
      errors: ['CREDENTIALS_INVALID', 'TOO_MANY_ATTEMPTS'],
    },
    DELETE: {
      handle: signOut,
      operationId: 'signOut',
      summary: 'Sign out and end the session. Idempotent.',
      description: 'The server ends the session too: its cookie then gets 401 SESSION_INVALID.',
      answer: { ...nothingAnswer, headers: ['Set-Cookie'] },
    },
  },
}
