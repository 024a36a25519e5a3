import type { Caller } from '@einvoicing/rpc/caller'
import type { Deps } from './deps'
import { readableDevice } from './session'
import type { AuditRecord } from './store/store'

export interface Act {
  action: string
  detail?: string
  notices?: AuditRecord['notices']
}

export function toAuditRecord(
  { now }: Pick<Deps, 'now'>,
  { actor, network, device }: Pick<Caller, 'actor' | 'network' | 'device'>,
  act: Act,
): AuditRecord {
  return {
    at: now().toISOString(),
    actor,
    ...act,
    ...(network !== undefined && network !== '' && { network }),
    ...(device !== undefined && device !== '' && { device: readableDevice(device) }),
  }
}
