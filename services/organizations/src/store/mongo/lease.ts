/**
 * Reads of keys and sessions must not come from a primary that lost its majority: it would not know
 * revocations made elsewhere. A linearizable read proves the primary, but is slow; so one proof
 * serves all reads for `leaseMs`, and a revocation waits that long (`outlast`).
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { openCollections } from './collections'

export const leaseMs = 250
// Less than the timeout of one answer (stores/mongo.ts).
const proofMs = 3_000

export class PrimaryLease {
  /** Infinity for a set of one member, which needs no proof. */
  private provenAtMs = -Infinity
  private proving: Promise<void> | undefined
  /** Changes with the primary: a proof is about one primary only. */
  private term = 0
  private watched: mongo.MongoClient | undefined

  async hold(db: mongo.Db): Promise<void> {
    this.watch(db.client)
    const requestedMs = performance.now()
    while (this.provenAtMs < requestedMs - leaseMs) await this.prove(db)
    // Renewed early, so that under load no read waits.
    if (this.provenAtMs < requestedMs - leaseMs / 2) this.prove(db).catch(() => undefined)
  }

  /** After a revocation: resolves when no process uses an earlier proof. */
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
