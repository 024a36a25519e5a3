/**
 * When each API key was last used, written in batches: a request must not wait for a disk to say
 * that it came.
 *
 * A crash loses at most what was noted since the last batch.
 */

import type { Log } from '@einvoicing/kernel/log'
import type { ApiKey } from '@einvoicing/proto/organizations'
import type { OrganizationStore } from './store/store'

const batchEveryMs = 60_000

export class LastUses {
  private unwritten = new Map<string, string>()
  private readonly store: OrganizationStore
  private readonly log: Log
  private readonly timer: NodeJS.Timeout

  constructor(store: OrganizationStore, log: Log) {
    this.store = store
    this.log = log
    this.timer = setInterval(() => void this.write(), batchEveryMs).unref()
  }

  note(apiKeyId: string, at: Date): void {
    this.unwritten.set(apiKeyId, at.toISOString())
  }

  /** The key with a use that the store has not been told yet. */
  shownOn(key: ApiKey): ApiKey {
    return { ...key, lastUsedAt: this.unwritten.get(key.id) ?? key.lastUsedAt }
  }

  /** Never throws: what could not be written is kept for the next batch. */
  async write(): Promise<void> {
    if (this.unwritten.size === 0) return
    const batch = this.unwritten
    this.unwritten = new Map()
    try {
      await this.store.recordUses(batch)
    } catch (err) {
      this.log.warn({ err }, 'the last use of API keys is not written yet')
      this.unwritten = new Map([...batch, ...this.unwritten])
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
  }
}
