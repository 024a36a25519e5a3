import { isDuplicateKey, toWriteError, writeFailure } from '@einvoicing/stores/mongo-failures'
import type { Mongo } from '@einvoicing/stores/mongo'
import { noAnswer } from '@einvoicing/domain/api-error'
import mongoose from 'mongoose'
import { fulfilled, Grouped, rejected, type Settled } from './grouped'
import { getInvoiceCollection, type InvoiceDocument } from './schema'

type Outcome = 'created' | 'number-taken'

const options = { batchMax: 100, batchesAtOnce: 2 } as const

export class MongoCreations {
  private readonly pending = new Set<Promise<Outcome>>()
  private readonly inserts: Grouped<InvoiceDocument, Outcome>
  private readonly mongo: Mongo

  constructor(mongo: Mongo) {
    this.mongo = mongo
    this.inserts = new Grouped((documents) => this.insert(documents), options)
  }

  async create(preparing: Promise<InvoiceDocument>): Promise<Outcome> {
    const created = preparing.then((document) => this.inserts.add(document))
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

  private async insert(documents: readonly InvoiceDocument[]): Promise<Settled<Outcome>[]> {
    try {
      await this.mongo.write((db) =>
        getInvoiceCollection(db).insertMany([...documents], { ordered: false }),
      )
      return documents.map(() => fulfilled('created'))
    } catch (error) {
      if (error instanceof mongoose.mongo.MongoBulkWriteError) {
        return this.settleEach(documents, error)
      }
      throw error
    }
  }

  private async settleEach(
    documents: readonly InvoiceDocument[],
    { result }: mongoose.mongo.MongoBulkWriteError,
  ): Promise<Settled<Outcome>[]> {
    const errors = new Map(result.getWriteErrors().map((error) => [error.index, error]))
    if (result.insertedCount + errors.size !== documents.length) {
      const cause = new Error(
        `${result.insertedCount} inserted, ${errors.size} failed, of ${documents.length}`,
      )
      return documents.map(() => rejected(noAnswer('The invoice store', cause)))
    }
    const lost = documents.filter((_, index) => isDuplicateKey(errors.get(index)))
    const settleLost = lost.length > 0 ? await this.settleLost(lost) : undefined
    return documents.map((document, index) => {
      const error = errors.get(index)
      if (!error) return fulfilled('created')
      if (settleLost && isDuplicateKey(error)) return settleLost(document)
      return rejected(writeFailure('The invoice store', toWriteError(error)))
    })
  }

  /** A repeated insert may conflict with itself if its first answer was lost. */
  private async settleLost(
    lost: readonly InvoiceDocument[],
  ): Promise<(document: InvoiceDocument) => Settled<Outcome>> {
    const ids = lost.map(({ _id }) => _id)
    try {
      const found = await this.mongo.read((db) =>
        getInvoiceCollection(db)
          .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
          .toArray(),
      )
      const ours = new Set(found.map(({ _id }) => _id))
      return ({ _id }) => fulfilled(ours.has(_id) ? 'created' : 'number-taken')
    } catch (error) {
      return () => rejected(noAnswer('The invoice store', error))
    }
  }
}
