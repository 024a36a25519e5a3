import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import { toInvoice } from './documents'
import { getInvoiceCollection, getProgressCollection, undecidedStatuses } from './schema'
import type { InvoiceStore } from '../store'

export function undecidedReads(mongo: Mongo): Undecided & Failed {
  return { ...undecided(mongo), ...failed(mongo) }
}

const isUndecided = { 'invoice.status': { $in: undecidedStatuses } }

type Undecided = Pick<InvoiceStore, 'listUndecided' | 'oldestUndecided'>

function undecided(mongo: Mongo): Undecided {
  return {
    async listUndecided(before, after, count) {
      const from = after?.updatedAt ?? ''
      const found = await mongo.read((db) =>
        getInvoiceCollection(db)
          .find(
            {
              ...isUndecided,
              'invoice.updatedAt': { $gte: from, $lt: before },
              $or: [{ 'invoice.updatedAt': { $gt: from } }, { _id: { $gt: after?.id ?? '' } }],
            },
            { projection: { organizationId: 1, invoice: 1 }, hint: 'undecided' },
          )
          .sort({ 'invoice.updatedAt': 1, _id: 1 })
          .limit(count)
          .toArray(),
      )
      return found.map(toInvoice)
    },
    async oldestUndecided() {
      const found = await mongo.read((db) =>
        getInvoiceCollection(db).findOne(
          { ...isUndecided, 'invoice.clearanceStartedAt': { $gt: '' } },
          {
            projection: { 'invoice.clearanceStartedAt': 1 },
            sort: { 'invoice.clearanceStartedAt': 1 },
            hint: 'undecided_age',
          },
        ),
      )
      return found?.invoice.clearanceStartedAt
    },
  }
}

type Failed = Pick<InvoiceStore, 'listFailed' | 'failedQueriedUntil' | 'advanceFailedQueried'>

function failed(mongo: Mongo): Failed {
  const _id = 'failed-asked' as const
  return {
    async listFailed(span, after, count) {
      const from = after?.updatedAt ?? span.after
      const found = await mongo.read((db) =>
        getInvoiceCollection(db)
          .find(
            {
              'invoice.status': 'FAILED',
              'invoice.updatedAt': { $gte: from, $lte: span.until },
              $or: [
                { 'invoice.updatedAt': { $gt: from } },
                ...(after ? [{ _id: { $gt: after.id } }] : []),
              ],
            },
            { projection: { organizationId: 1, invoice: 1 }, hint: 'failed' },
          )
          .sort({ 'invoice.updatedAt': 1, _id: 1 })
          .limit(count)
          .toArray(),
      )
      return found.map(toInvoice)
    },
    async failedQueriedUntil() {
      return (await mongo.read((db) => getProgressCollection(db).findOne({ _id })))?.value
    },
    async advanceFailedQueried(seen, until) {
      try {
        return await mongo.write(async (db) => {
          if (seen !== undefined) {
            const advanced = await getProgressCollection(db).updateOne(
              { _id, value: seen },
              { $set: { value: until } },
            )
            return advanced.matchedCount === 1
          }
          await getProgressCollection(db).insertOne({ _id, value: until })
          return true
        })
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },
  }
}
