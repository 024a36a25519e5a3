/**
 * How reads of keys and sessions know that the primary they ask is still the primary.
 *
 * A primary that lost its majority answers majority reads for some seconds more, and knows nothing
 * of what another revoked since. A linearizable read proves that it is not such a one, but waits
 * for a majority each time. So one proof serves all reads begun within the lease after it began,
 * and who revokes waits for as long before answering (`outlast`): a read begun after that answer
 * rests on a proof begun after the revocation. A set of one member has no other primary, and
 * proves nothing.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { openCollections } from './collections'

export const leaseMs = 250
// Less than what one answer may take, see stores/mongo.ts.
const proofMs = 3_000

export class PrimaryLease {
  /** Infinity where the set has one member. */
  private provenAtMs = -Infinity
  private proving: Promise<void> | undefined
  /** Another with each change of the set: what one primary proved says nothing of the next. */
  private term = 0
  private watched: mongo.MongoClient | undefined

  /** Resolves when a majority read may be relied on. */
  async hold(db: mongo.Db): Promise<void> {
    this.watch(db.client)
    const askedMs = performance.now()
    while (this.provenAtMs < askedMs - leaseMs) await this.prove(db)
    // Renewed in time, so that under load no read waits.
    if (this.provenAtMs < askedMs - leaseMs / 2) this.prove(db).catch(() => undefined)
  }

  /** For who has just revoked: resolves when no other process relies on what it proved before. */
  async outlast(): Promise<void> {
    if (this.provenAtMs !== Infinity) await pause(leaseMs)
  }

  private prove(db: mongo.Db): Promise<void> {
    this.proving ??= this.readLinearizably(db).finally(() => (this.proving = undefined))
    return this.proving
  }

  private async readLinearizably(db: mongo.Db): Promise<void> {
    const { term } = this
    const beganMs = performance.now()
    const { hosts } = (await db.command({ hello: 1 })) as { hosts?: string[] }
    if (hosts?.length === 1) {
      if (term === this.term) this.provenAtMs = Infinity
      return
    }
    const options = { readConcern: { level: 'linearizable' }, maxTimeMS: proofMs } as const
    await openCollections(db).remembered.findOne({ _id: 'lease' }, options)
    if (term === this.term) this.provenAtMs = beganMs
  }

  private watch(client: mongo.MongoClient): void {
    if (this.watched === client) return
    this.watched = client
    client.on('topologyDescriptionChanged', ({ previousDescription, newDescription }) => {
      const isSamePrimary = findPrimary(previousDescription) === findPrimary(newDescription)
      if (isSamePrimary && previousDescription.servers.size === newDescription.servers.size) return
      this.term += 1
      this.provenAtMs = -Infinity
    })
  }
}

function findPrimary({ servers }: mongo.TopologyDescription): string | undefined {
  return [...servers.values()].find(({ isWritable }) => isWritable)?.address
}
