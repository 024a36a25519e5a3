import { apiKeyNotFound } from '@einvoicing/access/api-key'
import type { Call } from '@einvoicing/rpc/call'
import type { ApiKey, ApiKeyId } from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { toConfirmedWriter } from './writer'

/** Idempotent. Throws `API_KEY_NOT_FOUND`, for another organization's key too. */
export async function revokeApiKey(
  deps: Deps,
  { apiKeyId }: ApiKeyId,
  { caller }: Pick<Call, 'caller'>,
): Promise<ApiKey> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const revoked = await deps.store.revokeApiKey(by, apiKeyId, {
    at: deps.now().toISOString(),
    actor: caller.actor,
    action: 'api-key.revoked',
    detail: apiKeyId,
  })
  if (!revoked) throw apiKeyNotFound()
  return deps.lastUses.toDate(revoked)
}
