/**
 * The organization's API keys: made, listed, revoked. A key is shown once, in the answer that makes
 * it.
 */

import { apiKeyNotFound } from '@einvoicing/access/api-key'
import { limits } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { ApiKey, OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { isUuid } from '../fields/uuid'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'

export function apiKeyRoutes(organizations: Service<OrganizationsService>): RouteTable {
  return {
    '/api-keys': { GET: list(organizations), POST: create(organizations) },
    '/api-keys/:id': { DELETE: revoke(organizations) },
  }
}

export const newApiKey = z.strictObject({
  name: toZodSchema<string>(filledText(limits.apiKeyNameLength)),
})

const list =
  (organizations: Service<OrganizationsService>): Handle =>
  async (_, response) => {
    const { apiKeys } = await organizations.listApiKeys({}, createCall(response))
    sendOk(response, { content: apiKeys.map(presentApiKey) })
  }

const create =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    const { name } = await readFields(request, response, newApiKey)
    const { apiKey, key } = await organizations.createApiKey({ name }, createCall(response))
    if (!apiKey) throw new Error('a key was made without its record')
    const { id, last4, createdAt } = apiKey
    sendCreated(response, { id, name: apiKey.name, key, last4, createdAt })
  }

const revoke =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    const apiKeyId = String(request.params['id'])
    if (!isUuid(apiKeyId)) throw apiKeyNotFound()
    sendOk(
      response,
      presentApiKey(await organizations.revokeApiKey({ apiKeyId }, createCall(response))),
    )
  }

export function presentApiKey({ id, name, last4, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  return {
    id,
    name,
    last4,
    createdAt,
    lastUsedAt: lastUsedAt ?? null,
    revokedAt: revokedAt ?? null,
  }
}
