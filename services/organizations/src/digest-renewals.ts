/** A key's secret is only known when it is used, so its digest is renewed then. */

import type { Log } from '@einvoicing/runtime/log'
import type { DigestChange } from './store/api-key-records'
import type { OrganizationStore } from './store/store'

// Few, so that requests are not slowed down.
const atOnce = 8

export class DigestRenewals {
  private readonly running = new Map<string, Promise<void>>()
  private readonly store: OrganizationStore
  private readonly log: Log

  constructor(store: OrganizationStore, log: Log) {
    this.store = store
    this.log = log
  }

  begin(apiKeyId: string, change: DigestChange): void {
    if (this.running.has(apiKeyId) || this.running.size >= atOnce) return
    const renewal = this.store
      .replaceDigest(change)
      .then(() => undefined)
      .catch((err: unknown) => {
        this.log.warn(
          { err, apiKeyId },
          'could not renew the digest of an API key: it stays under its older pepper until its next use',
        )
      })
      .finally(() => this.running.delete(apiKeyId))
    this.running.set(apiKeyId, renewal)
  }

  async close(): Promise<void> {
    await Promise.all(this.running.values())
  }
}
