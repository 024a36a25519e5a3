import type { Log } from '@einvoicing/runtime/log'
import type { ApiKey } from '@einvoicing/proto/organizations'
import { BatchedMoments } from './batched-moments'
import type { OrganizationStore } from './store/store'

export class LastUses extends BatchedMoments {
  private readonly networks: Map<string, string>

  constructor(store: OrganizationStore, log: Log) {
    const networks = new Map<string, string>()
    const record = async (uses: ReadonlyMap<string, string>) => {
      await store.recordUses(uses, networks)
      for (const [id, at] of uses) if (this.noted(id) === at) networks.delete(id)
    }
    super('the last use of API keys', record, { log, everyMs: 60_000 })
    this.networks = networks
  }

  noteUse(id: string, at: Date, network: string | undefined): void {
    this.note(id, at)
    if (network !== undefined) this.networks.set(id, network)
  }

  /** Includes a last use that is not written yet. */
  toDate(key: ApiKey): ApiKey {
    const lastUsedAt = this.noted(key.id)
    if (lastUsedAt === undefined) return key
    return { ...key, lastUsedAt, lastUsedNetwork: this.networks.get(key.id) ?? key.lastUsedNetwork }
  }
}
