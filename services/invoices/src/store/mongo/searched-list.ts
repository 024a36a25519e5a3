/** Looks up matching numbers and names, and ranges of ICE, reference and amount, along indexes. */

import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { mongo } from 'mongoose'
import { compareKeys, compareText, type Key } from '../text-order'
import { toUpperBound, parseSearch } from '../search'
import type { Found } from './counted-list'
import { sortFields, type SortBy } from './counted-row'
import type { ListSnapshot } from './list-snapshot'
import type { MarkedView } from './marked-lists'
import { toFilter } from './scanned-list'
import { orderIndexes, type InvoiceDocument } from './schema'

/** Of numbers or names, and of rows of each look-up. */
const foundMax = 2_000

interface Lookup {
  filter: mongo.Filter<InvoiceDocument>
  hint: string
}

type Keyed = Pick<InvoiceDocument, '_id' | 'order'> & { invoice?: Record<string, Key> }

/** `undefined` for too many. */
export async function readSearched(
  view: MarkedView,
  organizationId: string,
  { search = '', ...request }: ListInvoicesRequest,
): Promise<Found | undefined> {
  const lookups = await listLookups(view, search)
  if (!lookups) return undefined
  const field = sortFields[request.sortBy as SortBy]
  const others = toFilter(organizationId, request)
  const found = await Promise.all(
    lookups.map(({ filter, hint }) =>
      readKeys(view.snapshot, { filter: { $and: [others, filter] }, hint }, field),
    ),
  )
  if (found.some(({ length }) => length > foundMax)) return undefined
  const keys = new Map(found.flat().map((one) => [one._id, readKey(one, field)]))
  const sorted = [...keys].sort(([id, key], [otherId, otherKey]) => {
    return compareKeys(key, otherKey) || compareText(id, otherId)
  })
  if (request.descending) sorted.reverse()
  const { page, size } = request.page ?? { page: 0, size: 0 }
  const ids = sorted.slice(page * size, (page + 1) * size).map(([id]) => id)
  return { rows: await readInOrder(view.snapshot, ids), total: sorted.length }
}

async function listLookups(view: MarkedView, search: string): Promise<Lookup[] | undefined> {
  const { text, beginnings, amount } = parseSearch(search)
  const texts = await view.useSearch((held, uncounted) => held.find(text, uncounted))
  if (!texts || Math.max(texts.numbers.length, texts.names.length) > foundMax) return undefined
  const { numbers, names } = texts
  const lookups: Lookup[] = beginnings.flatMap((beginning) => {
    const range = { $gte: beginning, $lt: toUpperBound(beginning) }
    const ofBuyer = { filter: { 'invoice.buyerIce': range }, hint: 'by_buyer_and_created_at' }
    const byReference = { filter: { 'invoice.dgiReference': range }, hint: 'by_reference' }
    return [ofBuyer, byReference]
  })
  if (numbers.length > 0) {
    const filter = { 'invoice.invoiceNumber': { $in: numbers } }
    lookups.push({ filter, hint: orderIndexes.invoiceNumber })
  }
  if (names.length > 0) {
    const filter = { 'invoice.buyerName': { $in: names } }
    lookups.push({ filter, hint: orderIndexes.buyerName })
  }
  if (amount) {
    const filter = { 'order.amountTtc': { $gte: amount.from, $lt: amount.to } }
    lookups.push({ filter, hint: orderIndexes.amountTtc })
  }
  return lookups
}

function readKeys(
  snapshot: ListSnapshot,
  { filter, hint }: Lookup,
  field: string,
): Promise<Keyed[]> {
  return snapshot.read((invoices, options) =>
    invoices
      .find(filter, { ...options, projection: { [field]: 1 }, hint, batchSize: foundMax + 1 })
      .limit(foundMax + 1)
      .toArray(),
  ) as unknown as Promise<Keyed[]>
}

function readKey(document: Keyed, field: string): Key {
  const [part, name] = field.split('.') as ['invoice' | 'order', string]
  const keys = document[part] as Record<string, Key> | undefined
  return keys?.[name] ?? null
}

async function readInOrder(snapshot: ListSnapshot, ids: string[]): Promise<Found['rows']> {
  if (ids.length === 0) return []
  const projection = { organizationId: 1, invoice: 1 }
  const found = await snapshot.read((invoices, options) =>
    invoices.find({ _id: { $in: ids } }, { ...options, projection }).toArray(),
  )
  const byId = new Map(found.map((document) => [document._id, document]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
