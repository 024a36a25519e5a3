/**
 * Group commit: creations that arrive during an insert form the next one, so that one round trip
 * and one journal sync serve many. Each succeeds or fails alone.
 *
 * Throws SERVICE_UNAVAILABLE when the server is unavailable or too many wait: what waited was not
 * stored, what was sent without an answer may have been.
 */

import { isDuplicateKey, writeFailure } from '@einvoicing/stores/mongo-failures'
import type { Mongo } from '@einvoicing/stores/mongo'
import { ApiError, noAnswer, unavailable } from '@einvoicing/domain/api-error'
import mongoose, { type mongo } from 'mongoose'
import { getInvoiceCollection, type InvoiceDocument } from './schema'

type Outcome = 'created' | 'number-taken'

interface Waiting {
  document: InvoiceDocument
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

const batchMax = 100
const batchesAtOnce = 2
const waitingMax = 10_000

export class MongoCreations {
  private waiting: Waiting[] = []
  private batchesWriting = 0
  private readonly pending = new Set<Promise<Outcome>>()
  private readonly mongo: Mongo

  constructor(mongo: Mongo) {
    this.mongo = mongo
  }

  async create(preparing: Promise<InvoiceDocument>): Promise<Outcome> {
    const created = preparing.then((document) => this.enqueue(document))
    this.pending.add(created)
    try {
      return await created
    } finally {
      this.pending.delete(created)
    }
  }

  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.allSettled(this.pending)
  }

  private enqueue(document: InvoiceDocument): Promise<Outcome> {
    if (this.waiting.length >= waitingMax) {
      const cause = new Error(`${waitingMax} creations are waiting`)
      return Promise.reject(unavailable('The invoice store', cause))
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ document, resolve, reject })
      this.sendNext()
    })
  }

  private sendNext(): void {
    if (this.waiting.length === 0 || this.batchesWriting >= batchesAtOnce) return
    this.batchesWriting += 1
    void this.write(this.waiting.splice(0, batchMax)).finally(() => {
      this.batchesWriting -= 1
      this.sendNext()
    })
  }

  private async write(batch: Waiting[]): Promise<void> {
    try {
      await this.insert(batch)
      for (const { resolve } of batch) resolve('created')
    } catch (error) {
      if (error instanceof mongoose.mongo.MongoBulkWriteError) await this.settleEach(batch, error)
      else if (error instanceof ApiError) this.refuse(batch, error)
      // A defect of one, found before anything was sent, is not its neighbours'.
      else if (batch.length > 1) for (const one of batch) await this.write([one])
      else batch[0]?.reject(error)
    }
  }

  private async insert(batch: readonly Waiting[]): Promise<void> {
    const documents = batch.map(({ document }) => document)
    await this.mongo.write((db) =>
      getInvoiceCollection(db).insertMany(documents, { ordered: false }),
    )
  }

  private refuse(batch: readonly Waiting[], apiError: ApiError): void {
    for (const { reject } of batch) reject(apiError)
    // These would wait as long for the same error.
    for (const { reject } of this.waiting) reject(unavailable('The invoice store', apiError))
    this.waiting = []
  }

  private async settleEach(
    batch: readonly Waiting[],
    { result }: mongoose.mongo.MongoBulkWriteError,
  ): Promise<void> {
    const errors = new Map(result.getWriteErrors().map((error) => [error.index, error]))
    const lost: Waiting[] = []
    if (result.insertedCount + errors.size !== batch.length) {
      const cause = new Error(
        `${result.insertedCount} inserted, ${errors.size} failed, of ${batch.length}`,
      )
      for (const { reject } of batch) reject(noAnswer('The invoice store', cause))
      return
    }
    batch.forEach((one, index) => {
      const error = errors.get(index)
      if (!error) one.resolve('created')
      else if (isDuplicateKey(error)) lost.push(one)
      else one.reject(writeFailure('The invoice store', toError(error)))
    })
    if (lost.length > 0) await this.settleLost(lost)
  }

  /** A repeated insert may collide with itself if its first answer was lost. */
  private async settleLost(lost: readonly Waiting[]): Promise<void> {
    const ids = lost.map(({ document }) => document._id)
    try {
      const found = await this.mongo.read((db) =>
        getInvoiceCollection(db)
          .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
          .toArray(),
      )
      const ours = new Set(found.map(({ _id }) => _id))
      for (const { document, resolve } of lost) {
        resolve(ours.has(document._id) ? 'created' : 'number-taken')
      }
    } catch (error) {
      for (const { reject } of lost) reject(noAnswer('The invoice store', error))
    }
  }
}

function toError({ code, errmsg }: mongo.WriteError): Error {
  return Object.assign(new Error(errmsg ?? `write error ${code}`), { code })
}
