import { passkeyNotFound } from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import type { Passkey } from '@einvoicing/proto/organizations'
import type { Request } from 'express'
import { z } from 'zod'
import { count, nothingAnswer, time, uuid } from '../fields/answer-fields'
import { readFields } from '../fields/read-fields'
import { filledText, flag, toZodSchema } from '../fields/rules'
import { idParameter, readPathId } from '../fields/uuid'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { readClient } from './client'
import type { SessionRouteDeps } from './deps'
import { at } from './examples'
import { toOrigin } from './page-origin'
import {
  attestation,
  attestationExample,
  creationOptionsExample,
  readOptions,
  toAttestationText,
  passkeyOptionsAnswer,
} from './passkey-answers'
import { inTurn } from './password-turns'
import { codeRule } from './second-factor-sign-in'

const passkeyName = toZodSchema<string>(filledText(limits.passkeyNameLength))

const totpConfirmation = z.strictObject({ code: toZodSchema<string>(codeRule) })
const newPasskey = z.strictObject({ name: passkeyName, passkey: attestation })
const passkeyChange = z.strictObject({ name: passkeyName })
const secondFactorRule = z.strictObject({
  required: toZodSchema<boolean>(flag),
})

const read =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    const factors = await organizations.getSecondFactors({ userId }, createCall(response))
    const { totp, passkeys, recoveryCodesLeft, required } = factors
    const answer: z.infer<typeof factorsSchema> = {
      totp,
      passkeys: passkeys.map(presentPasskey),
      recoveryCodesLeft,
      required,
    }
    sendOk(response, answer)
  }

const beginTotp =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { secret, otpauthUri } = await organizations.beginTotp(
      readChange(request, getMember(response).userId),
      createCall(response),
    )
    sendCreated(response, { secret, otpauthUri })
  }

const confirmTotp =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { code } = await readFields(request, response, totpConfirmation)
    const confirmed = { code, ...readChange(request, getMember(response).userId) }
    const { codes } = await inTurn(response, () =>
      organizations.confirmTotp(confirmed, createCall(response)),
    )
    sendOk(response, { recoveryCodes: codes })
  }

const removeTotp =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const change = readChange(request, getMember(response).userId)
    await organizations.removeTotp(change, createCall(response))
    sendOk(response, {})
  }

const renewCodes =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const change = readChange(request, getMember(response).userId)
    const { codes } = await inTurn(response, () =>
      organizations.renewRecoveryCodes(change, createCall(response)),
    )
    sendCreated(response, { recoveryCodes: codes })
  }

const listPasskeys =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    const { passkeys } = await organizations.getSecondFactors({ userId }, createCall(response))
    sendOk(response, { content: passkeys.map(presentPasskey) })
  }

const offerPasskey =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { userId } = getMember(response)
    const place = { userId, origin: toOrigin(request, session) }
    const { options } = await organizations.offerPasskey(place, createCall(response))
    sendOk(response, readOptions(options))
  }

const addPasskey =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { name, passkey } = await readFields(request, response, newPasskey)
    const created = {
      name,
      passkey: toAttestationText(passkey),
      origin: toOrigin(request, session),
      ...readChange(request, getMember(response).userId),
    }
    const added = await inTurn(response, () =>
      organizations.addPasskey(created, createCall(response)),
    )
    if (!added.passkey) throw new Error('a passkey was added and not answered')
    const { recoveryCodes } = added
    const answer: z.infer<typeof addedPasskeySchema> = {
      ...presentPasskey(added.passkey),
      recoveryCodes,
    }
    sendCreated(response, answer)
  }

const renamePasskey =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const passkeyId = readPathId(request, passkeyNotFound)
    const { name } = await readFields(request, response, passkeyChange)
    const { userId } = getMember(response)
    const renamed = { userId, passkeyId, name }
    const passkey = await organizations.renamePasskey(renamed, createCall(response))
    sendOk(response, presentPasskey(passkey))
  }

const removePasskey =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const passkeyId = readPathId(request, passkeyNotFound)
    const change = readChange(request, getMember(response).userId)
    await organizations.removePasskey({ passkeyId, ...change }, createCall(response))
    sendOk(response, {})
  }

const setRule =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const rule = await readFields(request, response, secondFactorRule)
    const { required } = await organizations.requireSecondFactor(rule, createCall(response))
    sendOk(response, { required })
  }

function readChange(request: Request, userId: string) {
  return { userId, clientAddress: readClient(request).clientAddress }
}

function presentPasskey({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Passkey): z.infer<typeof passkeySchema> {
  return { id, name, createdAt, lastUsedAt: lastUsedAt ?? null }
}

const passkeySchema = z.object({
  id: uuid,
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable().describe('null until it is first used.'),
})

const recoveryCodes = z.array(z.string())

const addedPasskeySchema = passkeySchema.extend({
  recoveryCodes: recoveryCodes.describe(
    'Ten codes, returned only once, if the user had none; otherwise empty.',
  ),
})

const factorsSchema = z.object({
  totp: z.boolean().describe('Whether an authenticator app is set up.'),
  passkeys: z.array(passkeySchema),
  recoveryCodesLeft: count,
  required: z.boolean().describe('Whether the organization requires a second factor.'),
})

const codesAnswer = {
  name: 'RecoveryCodes',
  schema: z.object({ recoveryCodes: recoveryCodes.describe('Returned only once.') }),
  examples: { codes: { recoveryCodes: ['7k2mq-9xw4t', 'p0d3n-c8h5z'] } },
} as const

const passkey = {
  id: '7f0c5c1e-6c0b-4a3f-8a52-5f1d3f1c9d10',
  name: 'Phone',
  createdAt: at,
  lastUsedAt: null,
}

const passkeyId = idParameter('From GET passkeys.')

export const secondFactorRuleRoutes: ApiTable<SessionRouteDeps> = {
  '/organization/second-factor': {
    PUT: {
      handle: setRule,
      operationId: 'requireSecondFactor',
      summary: 'Require a second factor for every member, or stop requiring it.',
      description:
        'Takes effect with the next request of every session: members without one get 403 SECOND_FACTOR_REQUIRED until they have set one up.',
      body: {
        name: 'SecondFactorRule',
        schema: secondFactorRule,
        examples: { required: { required: true } },
      },
      answer: {
        name: 'SecondFactorRequired',
        schema: z.object({ required: z.boolean() }),
        examples: { required: { required: true } },
      },
      errors: ['CONFIRMATION_REQUIRED'],
    },
  },
}

/** Allowed for a member who must set up a second factor first. */
export const secondFactorRoutes: ApiTable<SessionRouteDeps> = {
  '/second-factor': {
    GET: {
      handle: read,
      operationId: 'readSecondFactors',
      summary: 'Read your second factors.',
      description: 'For the current user only.',
      answer: {
        name: 'SecondFactors',
        schema: factorsSchema,
        examples: {
          factors: { totp: true, passkeys: [passkey], recoveryCodesLeft: 10, required: false },
        },
      },
    },
  },
  '/totp': {
    POST: {
      handle: beginTotp,
      operationId: 'beginTotp',
      summary: 'Get a new secret for an authenticator app.',
      description:
        'Nothing changes until PUT totp confirms it with a code, within an hour. Show `otpauthUri` as a QR code.',
      answer: {
        status: 201,
        name: 'NewTotp',
        schema: z.object({
          secret: z.string().describe('Base32, returned only once.'),
          otpauthUri: z.string(),
        }),
        examples: {
          secret: {
            secret: 'GW3IBG5L6E4KXLNCUCCVAM2EXN5CP43B',
            otpauthUri:
              'otpauth://totp/Facturation:nadia%40example.com?issuer=Facturation&secret=GW3IBG5L6E4KXLNCUCCVAM2EXN5CP43B',
          },
        },
      },
      errors: ['CONFIRMATION_REQUIRED'],
    },
    PUT: {
      handle: confirmTotp,
      operationId: 'confirmTotp',
      summary: 'Turn the authenticator app on with its first code.',
      description:
        'A code is accepted once, within a minute of the server clock. The ten recovery codes replace earlier ones.',
      body: {
        name: 'TotpConfirmation',
        schema: totpConfirmation,
        examples: { code: { code: '492039' } },
      },
      answer: codesAnswer,
      errors: ['CONFIRMATION_REQUIRED'],
    },
    DELETE: {
      handle: removeTotp,
      operationId: 'removeTotp',
      summary: 'Turn the authenticator app off. Idempotent.',
      description: 'Removing the last second factor also removes the recovery codes.',
      answer: nothingAnswer,
      errors: ['CONFIRMATION_REQUIRED'],
    },
  },
  '/recovery-codes': {
    POST: {
      handle: renewCodes,
      operationId: 'renewRecoveryCodes',
      summary: 'Get ten new recovery codes.',
      description: 'The earlier codes stop working. VALIDATION_ERROR without a second factor.',
      answer: { ...codesAnswer, status: 201 },
      errors: ['CONFIRMATION_REQUIRED', 'VALIDATION_ERROR'],
    },
  },
  '/passkeys/options': {
    POST: {
      handle: offerPasskey,
      operationId: 'offerPasskey',
      summary: 'Get the WebAuthn options to create a passkey.',
      description: 'Valid for five minutes, in this session, once.',
      answer: passkeyOptionsAnswer(creationOptionsExample),
    },
  },
  '/passkeys': {
    GET: {
      handle: listPasskeys,
      operationId: 'listPasskeys',
      summary: 'List your passkeys.',
      description: 'Oldest first; 20 at most.',
      answer: {
        name: 'Passkeys',
        schema: z.object({ content: z.array(passkeySchema) }),
        examples: { passkeys: { content: [passkey] } },
      },
    },
    POST: {
      handle: addPasskey,
      operationId: 'addPasskey',
      summary: 'Add the passkey that the browser created.',
      description:
        'A passkey is a second factor, and also signs in without a password. An answer that does not match the options returns VALIDATION_ERROR.',
      body: {
        name: 'NewPasskey',
        schema: newPasskey,
        examples: { passkey: { name: 'Phone', passkey: attestationExample } },
      },
      answer: {
        status: 201,
        name: 'AddedPasskey',
        schema: addedPasskeySchema,
        examples: { added: { ...passkey, recoveryCodes: ['7k2mq-9xw4t'] } },
        links: ['renamePasskey', 'removePasskey'],
      },
      errors: ['CONFIRMATION_REQUIRED'],
    },
  },
  '/passkeys/:id': {
    PUT: {
      handle: renamePasskey,
      operationId: 'renamePasskey',
      summary: 'Rename a passkey.',
      description: 'Only its name changes.',
      parameters: [passkeyId],
      body: {
        name: 'PasskeyChange',
        schema: passkeyChange,
        examples: { name: { name: 'Old phone' } },
      },
      answer: { name: 'Passkey', schema: passkeySchema, examples: { passkey } },
      errors: ['PASSKEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
    },
    DELETE: {
      handle: removePasskey,
      operationId: 'removePasskey',
      summary: 'Remove a passkey.',
      description: 'Removing the last second factor also removes the recovery codes.',
      parameters: [passkeyId],
      answer: nothingAnswer,
      errors: ['PASSKEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
    },
  },
}
