import { callerOrganization, type Caller } from '@einvoicing/rpc/caller'
import type { Role } from '@einvoicing/domain/role'
import type { Deps } from './deps'
import { sessionOver } from '@einvoicing/domain/account-errors'
import type { Writer } from './store/store'

/** Throws `SESSION_INVALID` for a caller without a session. */
export function toWriter({ now }: Pick<Deps, 'now'>, caller: Caller, role: Role): Writer {
  const { sessionId: id, actor } = caller
  const organizationId = callerOrganization(caller)
  if (id === undefined) throw sessionOver()
  return { organizationId, actor, session: { id, role, at: now().toISOString() } }
}
