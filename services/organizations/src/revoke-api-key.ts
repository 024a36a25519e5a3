/**
 * Revoking an API key: for good, from the very next request. Doing it twice changes nothing and
 * answers the same.
 */

import { apiKeyNotFound } from '@einvoicing/kernel/api-key'
import { organizationOf } from '@einvoicing/kernel/caller'
import type { Call } from '@einvoicing/kernel/rpc'
import type { ApiKey, ApiKeyId } from '@einvoicing/proto/organizations'
import type { Deps } from './deps'

/** Throws `API_KEY_NOT_FOUND`, for another organization's key too. */
export async function revokeApiKey(
  { store, lastUses, now }: Deps,
  { apiKeyId }: ApiKeyId,
  { caller }: Pick<Call, 'caller'>,
): Promise<ApiKey> {
  const revoked = await store.revokeApiKey(organizationOf(caller), apiKeyId, {
    at: now().toISOString(),
    actor: caller.actor,
    action: 'api-key.revoked',
    detail: apiKeyId,
  })
  if (!revoked) throw apiKeyNotFound()
  return lastUses.shownOn(revoked)
}
