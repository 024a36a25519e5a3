import { callerOrganization } from '@einvoicing/rpc/caller'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Call } from '@einvoicing/rpc/call'
import type { EndSessionRequest } from '@einvoicing/proto/organizations'
import { auditOf } from './audit-record'
import type { Deps } from './deps'

export async function endSession(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  { clientAddress }: EndSessionRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<void> {
  if (caller.sessionId === undefined) return
  const act = { action: 'user.signed-out', detail: clientNetwork(clientAddress) }
  const audit = auditOf({ now }, caller, act)
  await store.endSession(callerOrganization(caller), caller.sessionId, audit)
}
