import { callerOrganization } from '@einvoicing/rpc/caller'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Call } from '@einvoicing/rpc/call'
import type { EndSessionRequest } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'

export async function endSession(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  { clientAddress, userId = '' }: EndSessionRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<void> {
  if (caller.sessionId === undefined) return
  const { sessionId: id } = caller
  const organizationId = callerOrganization(caller)
  // The cookie names the email of when the session was opened.
  const found = await store.findSession({ id, organizationId, userId })
  const actor = found ? `user:${found.user.email}` : caller.actor
  const act = { action: 'user.signed-out', detail: clientNetwork(clientAddress) }
  const audit = toAuditRecord({ now }, { ...caller, actor }, act)
  await store.endSession(organizationId, id, audit)
}
