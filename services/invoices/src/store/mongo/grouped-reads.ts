import type { Mongo } from '@einvoicing/stores/mongo'
import { fulfilled, Grouped } from './grouped'
import { toInvoice, unpackXml } from './documents'
import { getInvoiceCollection } from './schema'
import type { InvoiceStore } from '../store'

interface Wanted {
  organizationId?: string
  invoiceId: string
}

type Projection = Readonly<Record<string, 1>>

type GroupedReads = Pick<InvoiceStore, 'get' | 'getWithoutLines' | 'find' | 'readXml'>

export function groupedReads(mongo: Mongo): GroupedReads {
  const fields = { invoice: 1, lines: 1, 'evidence.level': 1, 'evidence.timeStampedAt': 1 } as const
  const whole = group(mongo, fields, { batchMax: 32, batchesAtOnce: 4 })
  const lineless = group(mongo, { invoice: 1 }, { batchMax: 32, batchesAtOnce: 4 })
  const xml = group(mongo, { xml: 1 }, { batchMax: 8, batchesAtOnce: 2 })
  const read = async (reads: typeof whole, wanted: Wanted) => {
    const found = await reads.add(wanted)
    return found && toInvoice(found)
  }
  return {
    get: (organizationId, invoiceId) => read(whole, { organizationId, invoiceId }),
    getWithoutLines: (organizationId, invoiceId) => read(lineless, { organizationId, invoiceId }),
    find: (invoiceId) => read(whole, { invoiceId }),
    async readXml(organizationId, invoiceId) {
      return unpackXml((await xml.add({ organizationId, invoiceId }))?.xml)
    },
  }
}

function group(
  mongo: Mongo,
  fields: Projection,
  options: { batchMax: number; batchesAtOnce: number },
) {
  const projection = { organizationId: 1, ...fields }
  return new Grouped(async (wanted: readonly Wanted[]) => {
    const ids = [...new Set(wanted.map(({ invoiceId }) => invoiceId))]
    const documents = await mongo.read((db) =>
      getInvoiceCollection(db)
        .find({ _id: { $in: ids } }, { projection })
        .toArray(),
    )
    const byId = new Map(documents.map((document) => [document._id, document]))
    return wanted.map(({ invoiceId, organizationId }) => {
      const found = byId.get(invoiceId)
      const isOther = organizationId !== undefined && organizationId !== found?.organizationId
      return fulfilled(isOther ? undefined : found)
    })
  }, options)
}
