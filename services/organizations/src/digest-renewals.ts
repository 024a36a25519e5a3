/**
 * API keys kept again under the pepper in use, each when it is next seen: only then is its digest
 * at
 * hand. No request waits for it, and one that fails is made up for at the key's next use.
 */

import type { Log } from '@einvoicing/runtime/log'
import type { DigestChange, OrganizationStore } from './store/store'

// A store that is busy with requests should not feel it.
const atOnce = 8

export class DigestRenewals {
  private readonly running = new Map<string, Promise<void>>()
  private readonly store: OrganizationStore
  private readonly log: Log

  constructor(store: OrganizationStore, log: Log) {
    this.store = store
    this.log = log
  }

  /** Never throws. */
  begin(apiKeyId: string, change: DigestChange): void {
    if (this.running.has(apiKeyId) || this.running.size >= atOnce) return
    const renewal = this.store
      .replaceDigest(change)
      .then(() => undefined)
      .catch((err: unknown) => {
        this.log.warn(
          { err, apiKeyId },
          'could not renew the digest of an API key: it keeps its older pepper until its next use',
        )
      })
      .finally(() => this.running.delete(apiKeyId))
    this.running.set(apiKeyId, renewal)
  }

  async close(): Promise<void> {
    await Promise.all(this.running.values())
  }
}
