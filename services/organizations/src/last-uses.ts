import type { Log } from '@einvoicing/runtime/log'
import type { ApiKey } from '@einvoicing/proto/organizations'
import { BatchedMoments } from './batched-moments'
import type { OrganizationStore } from './store/store'

export class LastUses extends BatchedMoments {
  constructor(store: OrganizationStore, log: Log) {
    super('the last use of API keys', (uses) => store.recordUses(uses), {
      log,
      everyMs: 60_000,
    })
  }

  /** With its last use, even when that is not written yet. */
  toDate(key: ApiKey): ApiKey {
    return { ...key, lastUsedAt: this.noted(key.id) ?? key.lastUsedAt }
  }
}
