import { limits } from '@einvoicing/domain/limits'
import { apiKeyNotFound } from '@einvoicing/access/api-key'
import type { Call } from '@einvoicing/rpc/call'
import type { ApiKey, ApiKeyId } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { prepareNotices } from './notices'
import { toConfirmedWriter } from './writer'

/** Idempotent. Throws `API_KEY_NOT_FOUND`, for another organization's key too. */
export async function revokeApiKey(
  deps: Deps,
  { apiKeyId }: ApiKeyId,
  { caller }: Pick<Call, 'caller'>,
): Promise<ApiKey> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const { organizationId, network, device } = by
  const listed = { now: deps.now().toISOString(), max: 2 * limits.apiKeysPerOrganization }
  const keys = await deps.store.listApiKeys(organizationId, listed)
  const key = keys.find(({ id, revokedAt }) => id === apiKeyId && revokedAt === undefined)
  const about = key && { name: key.name, last4: key.last4 }
  const concerned = { organizationId, owners: true, network, device }
  const notices = about && (await prepareNotices(deps, 'api-key-revoked', { ...concerned, about }))
  const act = { action: 'api-key.revoked', detail: apiKeyId, notices }
  const revoked = await deps.store.revokeApiKey(by, apiKeyId, toAuditRecord(deps, caller, act))
  if (!revoked) throw apiKeyNotFound()
  deps.mailer.wake()
  return deps.lastUses.toDate(revoked)
}
