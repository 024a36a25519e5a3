import { isNetwork } from '@einvoicing/access/allowed-networks'
import { apiKeyNotFound, apiKeyPrefix } from '@einvoicing/access/api-key'
import { apiKeyScopes, hasScope, type ApiKeyScope } from '@einvoicing/domain/api-key-scopes'
import { limits } from '@einvoicing/domain/limits'
import type { ApiKey, CreatedApiKey } from '@einvoicing/proto/organizations'
import type { Response } from 'express'
import { z } from 'zod'
import { boundedList } from '../fields/bounded-list'
import { readFields } from '../fields/read-fields'
import { defineRule, filledText, isCalendarDate, oneOf, toZodSchema } from '../fields/rules'
import { idParameter, readPathId } from '../fields/uuid'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { listOf, textOneOf, time, uuid } from '../fields/answer-fields'
import type { ApiTable } from '../routes/api-route'
import type { OrganizationsDeps } from './deps'
import { at } from './examples'

const momentForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

const moment = defineRule({ type: 'string', format: 'date-time' }, (value) => {
  const isMoment =
    typeof value === 'string' &&
    momentForm.test(value) &&
    isCalendarDate(value.slice(0, 'YYYY-MM-DD'.length)) &&
    !Number.isNaN(Date.parse(value))
  return isMoment ? undefined : 'must be a date and time such as 2027-01-31T18:00:00Z'
})

const network = defineRule({ type: 'string', maxLength: 50, examples: ['192.0.2.0/24'] }, (value) =>
  typeof value === 'string' && isNetwork(value)
    ? undefined
    : 'must be an IP address or a network such as 192.0.2.0/24',
)

const name = toZodSchema<string>(filledText(limits.apiKeyNameLength))

export const newApiKey = z.strictObject({
  name,
  scopes: boundedList(toZodSchema<ApiKeyScope>(oneOf(apiKeyScopes)), apiKeyScopes.length)
    .nullish()
    .describe('What the key may do. Missing: everything with invoices.'),
  expiresAt: toZodSchema<string>(moment)
    .nullish()
    .describe('In the future, and at most ten years ahead. Missing: the key does not expire.'),
  allowedNetworks: boundedList(toZodSchema<string>(network), limits.apiKeyNetworks)
    .nullish()
    .describe('Addresses, or networks in CIDR notation, from which the key works. Missing: all.'),
})

const overlapHours = 168

const apiKeyRotation = z.strictObject({
  name: name.nullish().describe('The name of the new key. Missing: the name of the old one.'),
  overlapHours: z
    .int()
    .min(0)
    .max(limits.apiKeyOverlapHours)
    .nullish()
    .describe(`For how many hours the old key still works. Missing: ${overlapHours} (seven days).`),
})

const list =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (_, response) => {
    const { apiKeys } = await organizations.listApiKeys({}, createCall(response))
    sendOk(response, { content: apiKeys.map(presentApiKey) })
  }

const create =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, newApiKey)
    const made = {
      name: typed.name,
      scopes: typed.scopes ?? [],
      allowedNetworks: typed.allowedNetworks ?? [],
      ...(typed.expiresAt && { expiresAt: typed.expiresAt }),
    }
    sendCreatedKey(response, await organizations.createApiKey(made, createCall(response)))
  }

const rotate =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const apiKeyId = readPathId(request, apiKeyNotFound)
    const typed = await readFields(request, response, apiKeyRotation)
    const overlapSeconds = (typed.overlapHours ?? overlapHours) * 3600
    const rotated = { apiKeyId, name: typed.name ?? '', overlapSeconds }
    sendCreatedKey(response, await organizations.rotateApiKey(rotated, createCall(response)))
  }

function sendCreatedKey(response: Response, { apiKey, key }: CreatedApiKey): void {
  if (!apiKey) throw new Error('a key was made without its record')
  const { lastUsedAt: _, lastUsedNetwork: __, revokedAt: ___, ...made } = presentApiKey(apiKey)
  const { id, name, ...rest } = made
  const created: z.infer<typeof createdApiKeySchema> = { id, name, key, ...rest }
  sendCreated(response, created)
}

const revoke =
  ({ organizations }: OrganizationsDeps): Handle =>
  async (request, response) => {
    const apiKeyId = readPathId(request, apiKeyNotFound)
    sendOk(
      response,
      presentApiKey(await organizations.revokeApiKey({ apiKeyId }, createCall(response))),
    )
  }

const apiKeySchema = z.object({
  id: uuid,
  name: z.string(),
  last4: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  lastUsedNetwork: z
    .string()
    .nullable()
    .describe('An IPv4 address, or the /64 of an IPv6 address.'),
  revokedAt: time.nullable(),
  scopes: z.array(textOneOf(apiKeyScopes)).describe('What the key may do.'),
  expiresAt: time.nullable().describe('The key is invalid from this time on.'),
  allowedNetworks: z.array(z.string()).describe('Networks from which the key works. Empty: all.'),
})

const createdApiKeySchema = apiKeySchema
  .omit({ lastUsedAt: true, lastUsedNetwork: true, revokedAt: true })
  .extend({ key: z.string().describe('The secret key. Returned only once.') })

function presentApiKey(apiKey: ApiKey): z.infer<typeof apiKeySchema> {
  const { id, last4, createdAt, lastUsedAt = null, revokedAt = null } = apiKey
  const { scopes, expiresAt = null, allowedNetworks, lastUsedNetwork = null } = apiKey
  return {
    id,
    name: apiKey.name,
    last4,
    createdAt,
    lastUsedAt,
    lastUsedNetwork,
    revokedAt,
    scopes: apiKeyScopes.filter((scope) => hasScope(scopes, scope)),
    expiresAt,
    allowedNetworks,
  }
}

const example = {
  id: '5d2f7c1a-90b3-4f6e-8a7d-1c2b3a4d5e6f',
  name: 'ERP',
  last4: 'x7Qz',
  createdAt: at,
  scopes: ['invoices:read', 'invoices:write'],
  expiresAt: null,
  allowedNetworks: ['192.0.2.0/24'],
}

const lastUse = { lastUsedAt: at, lastUsedNetwork: '192.0.2.17' }

const apiKeyId = idParameter()

export const apiKeyRoutes: ApiTable<OrganizationsDeps> = {
  '/api-keys': {
    GET: {
      handle: list,
      operationId: 'listApiKeys',
      summary: 'List the API keys, without their secrets.',
      description: 'Newest first, active or not. `last4` distinguishes them.',
      answer: {
        name: 'ApiKeys',
        schema: listOf(apiKeySchema),
        examples: {
          keys: { content: [{ ...example, ...lastUse, revokedAt: null }] },
        },
      },
    },
    POST: {
      handle: create,
      operationId: 'createApiKey',
      summary: 'Create an API key. Its secret is returned only once.',
      description:
        'Only a digest of the secret is stored. The owners get an email 14 and 2 days before the key expires.',
      body: {
        name: 'NewApiKey',
        schema: newApiKey,
        examples: {
          key: { name: example.name },
          limited: {
            name: 'Reports',
            scopes: ['invoices:read'],
            expiresAt: '2027-05-03T09:30:00.000Z',
            allowedNetworks: ['192.0.2.0/24'],
          },
        },
      },
      answer: {
        status: 201,
        name: 'NewApiKeyWithSecret',
        schema: createdApiKeySchema,
        examples: { key: { ...example, key: `${apiKeyPrefix}…` } },
        links: ['revokeApiKey', 'rotateApiKey'],
      },
      errors: ['CONFIRMATION_REQUIRED'],
    },
  },
  '/api-keys/:id': {
    DELETE: {
      handle: revoke,
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key, effective from the next request.',
      description:
        'Its requests then get 401 API_KEY_INVALID, like those of an unknown key. It stays in the list and cannot be restored.',
      parameters: [apiKeyId],
      answer: {
        name: 'ApiKey',
        schema: apiKeySchema,
        examples: { revoked: { ...example, ...lastUse, revokedAt: at } },
      },
      errors: ['API_KEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
    },
  },
  '/api-keys/:id/rotate': {
    POST: {
      handle: rotate,
      operationId: 'rotateApiKey',
      summary: 'Create a key with the limits of another, which then expires.',
      description:
        'Both work until the overlap ends, so that no request fails while you deploy the new one. The old one can be revoked before.',
      parameters: [apiKeyId],
      body: {
        name: 'ApiKeyRotation',
        schema: apiKeyRotation,
        examples: { rotation: { name: 'ERP (2)', overlapHours: 24 } },
      },
      answer: {
        status: 201,
        name: 'NewApiKeyWithSecret',
        schema: createdApiKeySchema,
        examples: { key: { ...example, key: `${apiKeyPrefix}…` } },
        links: ['revokeApiKey'],
      },
      errors: ['API_KEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
    },
  },
}
