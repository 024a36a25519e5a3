import { apiKeyNotFound, apiKeyPrefix } from '@einvoicing/access/api-key'
import { limits } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { ApiKey, OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { isUuid } from '../fields/uuid'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { listOf, time, uuid } from '../fields/answer-fields'
import { toAnswerSchema } from '../fields/json-schema'
import type { ApiTable } from '../routes/api-route'
import { at } from './examples'

export interface ApiKeyDeps {
  organizations: Service<OrganizationsService>
}

export const newApiKey = z.strictObject({
  name: toZodSchema<string>(filledText(limits.apiKeyNameLength)),
})

const list =
  ({ organizations }: ApiKeyDeps): Handle =>
  async (_, response) => {
    const { apiKeys } = await organizations.listApiKeys({}, createCall(response))
    sendOk(response, { content: apiKeys.map(presentApiKey) })
  }

const create =
  ({ organizations }: ApiKeyDeps): Handle =>
  async (request, response) => {
    const { name } = await readFields(request, response, newApiKey)
    const { apiKey, key } = await organizations.createApiKey({ name }, createCall(response))
    if (!apiKey) throw new Error('a key was made without its record')
    const { id, last4, createdAt } = apiKey
    const created: z.infer<typeof createdApiKeySchema> = {
      id,
      name: apiKey.name,
      key,
      last4,
      createdAt,
    }
    sendCreated(response, created)
  }

const revoke =
  ({ organizations }: ApiKeyDeps): Handle =>
  async (request, response) => {
    const apiKeyId = String(request.params['id'])
    if (!isUuid(apiKeyId)) throw apiKeyNotFound()
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
  revokedAt: time.nullable(),
})

const createdApiKeySchema = apiKeySchema
  .omit({ lastUsedAt: true, revokedAt: true })
  .extend({ key: z.string().describe('The secret key. Returned only once.') })

export function presentApiKey(apiKey: ApiKey): z.infer<typeof apiKeySchema> {
  const { id, name, last4, createdAt, lastUsedAt = null, revokedAt = null } = apiKey
  return { id, name, last4, createdAt, lastUsedAt, revokedAt }
}

const example = {
  id: '5d2f7c1a-90b3-4f6e-8a7d-1c2b3a4d5e6f',
  name: 'ERP',
  last4: 'x7Qz',
  createdAt: at,
}

export const apiKeyRoutes: ApiTable<ApiKeyDeps> = {
  '/api-keys': {
    GET: {
      handle: list,
      operationId: 'listApiKeys',
      summary: 'List the API keys, without their secrets.',
      description:
        'Active keys first, then revoked ones, each newest first. `last4` distinguishes them.',
      answer: {
        name: 'ApiKeys',
        schema: listOf(apiKeySchema),
        examples: { keys: { content: [{ ...example, lastUsedAt: at, revokedAt: null }] } },
      },
    },
    POST: {
      handle: create,
      operationId: 'createApiKey',
      summary: 'Create an API key. Its secret is returned only once.',
      description:
        'Only a digest of the secret is stored. To rotate a key, create a new one, deploy it, then revoke the old one.',
      body: { name: 'NewApiKey', schema: newApiKey, examples: { key: { name: example.name } } },
      answer: {
        status: 201,
        name: 'NewApiKeyWithSecret',
        schema: createdApiKeySchema,
        examples: { key: { ...example, key: `${apiKeyPrefix}…` } },
        links: ['revokeApiKey'],
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
      parameters: [{ name: 'id', in: 'path', required: true, schema: toAnswerSchema(uuid) }],
      answer: {
        name: 'ApiKey',
        schema: apiKeySchema,
        examples: { revoked: { ...example, lastUsedAt: at, revokedAt: at } },
      },
      errors: ['API_KEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
    },
  },
}
