import { digestApiKey } from '@einvoicing/access/api-key'
import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import type { CreateApiKeyRequest, CreatedApiKey } from '@einvoicing/proto/organizations'
import { generateApiKey, digestWithPepper } from './api-key'
import type { Deps } from './deps'
import { organizationGone } from './organization'
import type { Writer } from './store/store'
import { atMost, findFirstError, notBlank, printable, checkFieldErrors } from './text-rules'
import { toConfirmedWriter } from './writer'

const { apiKeysPerOrganization, apiKeyNameLength } = limits

/** Throws `VALIDATION_ERROR` for the name, and at the limit of live keys. */
export function createApiKey(
  deps: Deps,
  request: CreateApiKeyRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<CreatedApiKey> {
  return addApiKey(deps, request, toConfirmedWriter(deps, caller, 'OWNER'))
}

export async function addApiKey(
  deps: Deps,
  request: CreateApiKeyRequest,
  by: Writer,
): Promise<CreatedApiKey> {
  const name = request.name.trim()
  checkFieldErrors({ name: findFirstError(name, [notBlank, atMost(apiKeyNameLength), printable]) })

  const key = generateApiKey(deps.randomBytes)
  const [inUse] = (await deps.peppers()).lines
  const digest = digestWithPepper(digestApiKey(key), inUse.key)
  const createdAt = deps.now().toISOString()
  const { organizationId, actor } = by
  const shown = { id: deps.newId(), name, last4: key.slice(-4), createdAt }
  const detail = `${name} (…${shown.last4}), ${shown.id}`
  const outcome = await deps.store.addApiKey(
    by,
    { key: { ...shown, organizationId, digest, pepper: inUse.mark }, max: apiKeysPerOrganization },
    { at: createdAt, actor, action: 'api-key.created', detail },
  )
  if (outcome === 'no-organization') throw organizationGone()
  if (outcome === 'too-many') refuseOneTooMany()
  return { apiKey: shown, key }
}

function refuseOneTooMany(): void {
  const message = `cannot be given to another key: ${apiKeysPerOrganization} are in use, revoke one first`
  checkFieldErrors({ name: message })
}
