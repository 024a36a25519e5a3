/** A new API key: shown whole this once, kept as a digest. */

import { digestApiKey } from '@einvoicing/kernel/api-key'
import { organizationOf } from '@einvoicing/kernel/caller'
import { limits } from '@einvoicing/kernel/limits'
import type { Call } from '@einvoicing/kernel/rpc'
import type { CreateApiKeyRequest, CreatedApiKey } from '@einvoicing/proto/organizations'
import { generateApiKey, keptDigest } from './api-key'
import type { Deps } from './deps'
import { organizationGone } from './organization'
import { atMost, firstFault, given, printable, refuseFaults } from './text-rules'

const { apiKeysPerOrganization, apiKeyNameLength } = limits

/** Throws `VALIDATION_ERROR` for the name, and at the limit of live keys. */
export async function createApiKey(
  deps: Deps,
  request: CreateApiKeyRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<CreatedApiKey> {
  const organizationId = organizationOf(caller)
  const name = request.name.trim()
  refuseFaults({ name: firstFault(name, [given, atMost(apiKeyNameLength), printable]) })
  await refuseOneTooMany(deps, organizationId)

  const key = generateApiKey(deps.randomBytes)
  const [inUse] = (await deps.peppers()).lines
  const digest = keptDigest(digestApiKey(key), inUse.key)
  const createdAt = deps.now().toISOString()
  const shown = { id: deps.newId(), name, last4: key.slice(-4), createdAt }
  const detail = `${name} (…${shown.last4}), ${shown.id}`
  await deps.store.addApiKey(
    { ...shown, organizationId, digest, pepper: inUse.mark },
    { at: createdAt, actor: caller.actor, action: 'api-key.created', detail },
  )
  return { apiKey: shown, key }
}

async function refuseOneTooMany({ store }: Deps, organizationId: string): Promise<void> {
  if (!(await store.findMentions(organizationId))) throw organizationGone()
  const live = await store.countLiveApiKeys(organizationId)
  if (live < apiKeysPerOrganization) return
  refuseFaults({ name: `cannot be given to another key: ${live} are in use, revoke one first` })
}
