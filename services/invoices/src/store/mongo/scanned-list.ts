/**
 * Walks one index in the requested order, so that nothing is sorted in memory. The usual filters
 * have an index of their own in the usual order.
 */

import { invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import type { InvoicePage, ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { mongo } from 'mongoose'
import { sortFields, type SortBy } from './counted-row'
import { toInvoice, type KeptInvoice } from './documents'
import { getInvoiceCollection, orderIndexes, type InvoiceDocument } from './schema'
import { toRegex } from '../search'

export async function scan(
  db: mongo.Db,
  organizationId: string,
  request: ListInvoicesRequest,
): Promise<InvoicePage> {
  const [found, total] = await Promise.all([
    scanRows(getInvoiceCollection(db), organizationId, request),
    getInvoiceCollection(db).countDocuments(toFilter(organizationId, request)),
  ])
  return { invoices: found.map(toInvoice), total }
}

async function scanRows(
  invoices: mongo.Collection<InvoiceDocument>,
  organizationId: string,
  request: ListInvoicesRequest,
): Promise<KeptInvoice[]> {
  const { page, size } = request.page ?? { page: 0, size: 0 }
  if (size === 0) return []
  const { sort, hint } = chooseOrder(request)
  return invoices
    .find(toFilter(organizationId, request), {
      projection: { organizationId: 1, invoice: 1 },
      hint,
    })
    .sort(sort)
    .skip(page * size)
    .limit(size)
    .toArray()
}

function toFilter(
  organizationId: string,
  request: ListInvoicesRequest,
): mongo.Filter<InvoiceDocument> {
  const { status, invoiceNumber, buyerIce, invoiceDateFrom, invoiceDateTo, search } = request
  const dates = {
    ...(invoiceDateFrom !== undefined && { $gte: invoiceDateFrom }),
    ...(invoiceDateTo !== undefined && { $lte: invoiceDateTo }),
  }
  return {
    organizationId,
    ...(status !== undefined && { 'invoice.status': status }),
    ...(invoiceNumber !== undefined && { 'invoice.invoiceNumber': matchAnyForm(invoiceNumber) }),
    ...(buyerIce !== undefined && { 'invoice.buyerIce': buyerIce }),
    ...(Object.keys(dates).length > 0 && { 'invoice.invoiceDate': dates }),
    ...(search !== undefined && { $or: searched(search) }),
  }
}

function matchAnyForm(number: string): mongo.Condition<string> {
  const forms = invoiceNumberForms(number)
  return forms.length === 1 ? number : { $in: forms }
}

function searched(search: string): mongo.Filter<InvoiceDocument>[] {
  const looked = toRegex(search)
  return [
    { 'invoice.invoiceNumber': { $regex: looked } },
    { 'invoice.buyerName': { $regex: looked } },
    { 'invoice.buyerIce': { $regex: `^${looked}` } },
  ]
}

interface Order {
  sort: Record<string, 1 | -1>
  /** Without it the server may choose another index and sort in memory. */
  hint: string
}

function chooseOrder({ sortBy, descending, ...filters }: ListInvoicesRequest): Order {
  if (!Object.hasOwn(orderIndexes, sortBy)) throw new Error(`no order by ${sortBy}`)
  // A number matches one invoice at most, in any order.
  if (filters.invoiceNumber !== undefined) return { sort: {}, hint: orderIndexes.invoiceNumber }
  const by = sortBy as SortBy
  const direction: 1 | -1 = descending ? -1 : 1
  const ties: Order['sort'] = by === 'invoiceNumber' ? {} : { _id: direction }
  return { sort: { [sortFields[by]]: direction, ...ties }, hint: indexFor(by, filters) }
}

function indexFor(
  by: SortBy,
  { status, buyerIce }: Pick<ListInvoicesRequest, 'status' | 'buyerIce'>,
): string {
  if (by === 'createdAt' && buyerIce !== undefined) return 'by_buyer_and_created_at'
  if (by === 'createdAt' && status !== undefined) return 'by_status_and_created_at'
  return orderIndexes[by]
}
