import { callerOrganization, type Caller } from '@einvoicing/rpc/caller'
import { limits } from '@einvoicing/domain/limits'
import type { Role } from '@einvoicing/domain/role'
import type { Deps } from './deps'
import { sessionOver } from '@einvoicing/domain/account-errors'
import type { Writer } from './store/store'

/** Throws `SESSION_INVALID` for a caller without a session. */
export function toWriter({ now }: Pick<Deps, 'now'>, caller: Caller, role: Role): Writer {
  return { ...toWho(caller), session: { ...toSession(caller, role), at: now().toISOString() } }
}

/** For what a stolen session must not do: needs a recent proof of who the holder is. */
export function toConfirmedWriter({ now }: Pick<Deps, 'now'>, caller: Caller, role: Role): Writer {
  const at = now()
  const since = new Date(at.getTime() - limits.confirmationLifetimeMs)
  const moments = { at: at.toISOString(), confirmedSince: since.toISOString() }
  return { ...toWho(caller), session: { ...toSession(caller, role), ...moments } }
}

function toWho(caller: Caller) {
  const { actor, network, device } = caller
  return { organizationId: callerOrganization(caller), actor, network, device }
}

function toSession({ sessionId: id }: Caller, role: Role) {
  if (id === undefined) throw sessionOver()
  return { id, role }
}
