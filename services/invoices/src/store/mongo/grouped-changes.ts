import { isDuplicateKey, toWriteError, writeFailure } from '@einvoicing/stores/mongo-failures'
import type { Mongo } from '@einvoicing/stores/mongo'
import { noAnswer } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import mongoose, { type mongo } from 'mongoose'
import { fulfilled, Grouped, rejected, type Settled } from './grouped'
import type { Writer } from './writer'
import { getAuditCollection, getInvoiceCollection } from './schema'
import { toFilter, toUpdate } from './written-documents'
import type { InvoiceStore, Write } from '../store'

type Outcome = Awaited<ReturnType<InvoiceStore['change']>>

interface Change {
  filter: ReturnType<typeof toFilter>
  update: Awaited<ReturnType<typeof toUpdate>>
}

const options = { batchMax: 32, batchesAtOnce: 2 } as const

export class MongoChanges {
  private readonly updates: Grouped<Change, Outcome>
  private readonly mongo: Mongo
  private readonly writer: Writer

  constructor(mongo: Mongo, writer: Writer) {
    this.mongo = mongo
    this.writer = writer
    this.updates = new Grouped((changes) => this.send(changes), options)
  }

  async change(seen: Invoice, write: Write): Promise<Outcome> {
    const update = await toUpdate(write, this.writer)
    return this.updates.add({ filter: toFilter(seen, write), update })
  }

  private async send(changes: readonly Change[]): Promise<Settled<Outcome>[]> {
    try {
      const { matchedCount } = await this.mongo.write((db) =>
        getInvoiceCollection(db).bulkWrite(
          changes.map((updateOne) => ({ updateOne })),
          { ordered: false },
        ),
      )
      if (matchedCount === changes.length) return changes.map(() => fulfilled('changed'))
      return await this.settleEach(changes, new Map())
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error
      const errors = error.result.getWriteErrors()
      return this.settleEach(changes, new Map(errors.map((one) => [one.index, one])))
    }
  }

  private async settleEach(
    changes: readonly Change[],
    errors: ReadonlyMap<number, mongo.WriteError>,
  ): Promise<Settled<Outcome>[]> {
    const isApplied = await this.findApplied(changes)
    return changes.map((change, index) => {
      const error = errors.get(index)
      if (!error) return isApplied(change)
      if (isDuplicateKey(error)) return fulfilled('number-taken')
      return rejected(writeFailure('The invoice store', toWriteError(error)))
    })
  }

  /** The server returns only a count. The audit entry of each change proves that it was applied. */
  private async findApplied(
    changes: readonly Change[],
  ): Promise<(change: Change) => Settled<Outcome>> {
    const toPosition = ({ update }: Change) => update.$set['unaudited.position']
    const [only, another] = changes
    if (only && !another) return () => fulfilled('moved')
    try {
      const applied = await this.mongo.read(async (db) => {
        // In this order: an entry is copied before it is removed here.
        const invoices = await getInvoiceCollection(db)
          .find(
            { _id: { $in: changes.map(({ filter }) => filter._id) } },
            { projection: { 'unaudited.entries._id': 1 } },
          )
          .toArray()
        const copied = await getAuditCollection(db)
          .find({ _id: { $in: changes.map(toPosition) } }, { projection: { _id: 1 } })
          .toArray()
        const entries = invoices.flatMap(({ unaudited }) => unaudited?.entries ?? [])
        return new Set([...entries, ...copied].map(({ _id }) => _id))
      })
      return (change) => fulfilled(applied.has(toPosition(change)) ? 'changed' : 'moved')
    } catch (error) {
      return () => rejected(noAnswer('The invoice store', error))
    }
  }
}
