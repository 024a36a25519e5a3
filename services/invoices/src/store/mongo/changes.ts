import type { Mongo } from '@einvoicing/stores/mongo'
import { getInvoiceCollection, orderIndexes } from './schema'
import type { InvoiceStore } from '../store'

const fields = { 'invoice.invoiceNumber': 1, 'invoice.status': 1, 'invoice.updatedAt': 1 } as const

export function changeReads(mongo: Mongo): Pick<InvoiceStore, 'listChanges'> {
  return {
    async listChanges(organizationId, { since, behind, count, until }) {
      const moment = 'invoice.updatedAt'
      const found = await mongo.read((db) =>
        getInvoiceCollection(db)
          .find(
            {
              organizationId,
              [moment]: { $gte: since, ...(until !== undefined && { $lte: until }) },
              $or: [{ [moment]: { $gt: since } }, { [moment]: since, _id: { $gt: behind } }],
            },
            { projection: fields, hint: orderIndexes.updatedAt },
          )
          .sort({ [moment]: 1, _id: 1 })
          .limit(count)
          .toArray(),
      )
      return found.map(({ _id: invoiceId, invoice: { invoiceNumber, status, updatedAt } }) => {
        return { invoiceId, invoiceNumber, status, updatedAt }
      })
    },
  }
}
