import type { Call } from '@einvoicing/rpc/call'
import type { SecondFactorRule } from '@einvoicing/proto/organizations'
import { toAuditRecord } from '../audit-record'
import type { Deps } from '../deps'
import { toConfirmedWriter } from '../writer'

/** Holds from each member's next request on. Throws `CONFIRMATION_REQUIRED`. */
export async function requireSecondFactor(
  deps: Deps,
  { required }: SecondFactorRule,
  { caller }: Pick<Call, 'caller'>,
): Promise<SecondFactorRule> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const action = required ? 'second-factor.required' : 'second-factor.not-required'
  await deps.store.requireSecondFactor(by, required, toAuditRecord(deps, by, { action }))
  return { required }
}
