import mongoose, { type mongo } from 'mongoose'
import type { Bound, Key, Range } from '../text-order'
import { sortFields, type SortBy } from './counted-row'
import type { ListSnapshot } from './list-snapshot'
import { orderIndexes, type InvoiceDocument } from './schema'

export interface Place {
  organizationId: string
  by: SortBy
  status?: string | undefined
}

const statusIndexes = {
  createdAt: 'by_status_and_created_at',
  updatedAt: 'by_status_and_change',
  invoiceNumber: 'by_status_and_number',
  invoiceDate: 'by_status_and_invoice_date',
  dueDate: 'by_status_and_due_date',
  // Within one status the order is that of the ids.
  status: 'by_status',
  buyerName: 'by_status_and_buyer_name',
  amountHt: 'by_status_and_amount_ht',
  amountVat: 'by_status_and_amount_vat',
  amountTtc: 'by_status_and_amount_ttc',
} as const satisfies Record<SortBy, string>

/** What these indexes contain after the id. */
const trailing: Partial<Record<string, readonly string[]>> = {
  by_creation: ['invoice.status', 'invoice.currency', 'invoice.amountTtc'],
  by_change: ['invoice.status', 'clearanceMs', 'invoice.dgiErrorCode'],
}

export const chooseIndex = ({ by, status }: Pick<Place, 'by' | 'status'>): string =>
  status === undefined ? orderIndexes[by] : statusIndexes[by]

/** A number is unique, and its index has no id. */
const hasId = ({ by, status }: Place) => status !== undefined || by !== 'invoiceNumber'

export interface Slice {
  range?: Range
  descending?: boolean
  skip: number
  /** 0 for all. */
  limit: number
}

const batchSize = 5_000

/** Skipped rows are not fetched. */
function toFind(place: Place, { range = {}, descending = false, skip, limit }: Slice) {
  const sort = toSort(place, descending)
  return { ...toKeys(place, range), hint: chooseIndex(place), sort, skip, limit, batchSize }
}

export function toSort(place: Place, descending: boolean): Record<string, 1 | -1> {
  const direction = descending ? -1 : 1
  return { [sortFields[place.by]]: direction, ...(hasId(place) && { _id: direction }) }
}

export function readRows(
  snapshot: ListSnapshot,
  place: Place,
  slice: Slice,
): Promise<Pick<InvoiceDocument, '_id' | 'organizationId' | 'invoice'>[]> {
  const projection = { organizationId: 1, invoice: 1 }
  return snapshot.read((invoices, options) =>
    invoices.find({}, { ...options, ...toFind(place, slice), projection }).toArray(),
  )
}

export async function readBounds(
  snapshot: ListSnapshot,
  place: Place,
  slice: Slice,
): Promise<Bound[]> {
  const field = sortFields[place.by]
  const projection = { _id: hasId(place) ? 1 : 0, [field]: 1 }
  const found = await snapshot.read((invoices, options) =>
    invoices.find({}, { ...options, ...toFind(place, slice), projection }).toArray(),
  )
  const [part, name] = field.split('.') as ['invoice' | 'order', string]
  return found.map((document) => {
    const keys = document[part] as unknown as Record<string, Key> | undefined
    return { key: keys?.[name] ?? null, id: hasId(place) ? document._id : '' }
  })
}

function toKeys(place: Place, { from, to }: Range): { min: mongo.Document; max: mongo.Document } {
  const { MinKey, MaxKey } = mongoose.mongo
  return { min: toKey(place, from, new MinKey()), max: toKey(place, to, new MaxKey()) }
}

function toKey(place: Place, bound: Bound | undefined, open: unknown): mongo.Document {
  const { organizationId, by, status } = place
  const isWithinStatus = status !== undefined && by === 'status'
  const rest = (trailing[chooseIndex(place)] ?? []).map((field) => {
    return [field, bound ? new mongoose.mongo.MinKey() : open]
  })
  return {
    organizationId,
    ...(status !== undefined && { [sortFields.status]: status }),
    ...(!isWithinStatus && { [sortFields[by]]: bound ? bound.key : open }),
    ...(hasId(place) && { _id: bound ? bound.id : open }),
    ...(Object.fromEntries(rest) as mongo.Document),
  }
}
