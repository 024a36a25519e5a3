/** Walks one index in the requested order, so that nothing is sorted in memory. */

import { invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import { defaultInvoiceType } from '@einvoicing/domain/invoice-types'
import type { InvoicePage, ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { mongo } from 'mongoose'
import { sortFields, type SortBy } from './counted-row'
import { toInvoice, type KeptInvoice } from './documents'
import { chooseIndex } from './list-orders'
import {
  getInvoiceCollection,
  orderIndexes,
  precedingIndex,
  precedingNumber,
  typeIndex,
  type InvoiceDocument,
} from './schema'
import { toUpperBound, parseSearch, toRegex } from '../search'

export async function scan(
  db: mongo.Db,
  { organizationId, request, known }: Scan,
): Promise<InvoicePage> {
  const [found, total] = await Promise.all([
    scanRows(getInvoiceCollection(db), organizationId, request),
    known ?? count(getInvoiceCollection(db), organizationId, request),
  ])
  return { invoices: found.map(toInvoice), total }
}

interface Scan {
  organizationId: string
  request: ListInvoicesRequest
  known: number | undefined
}

export function count(
  invoices: mongo.Collection<InvoiceDocument>,
  organizationId: string,
  request: ListInvoicesRequest,
): Promise<number> {
  const hint =
    ownIndex(request) ?? (request.search === undefined ? undefined : indexToCount(request))
  const filter = toFilter(organizationId, request)
  return invoices.countDocuments(filter, hint === undefined ? {} : { hint })
}

/** Of filters that match few invoices, in any order. */
function ownIndex({ type, invoiceNumber, precedingInvoiceNumber }: ListInvoicesRequest) {
  if (invoiceNumber !== undefined) return orderIndexes.invoiceNumber
  if (precedingInvoiceNumber !== undefined) return precedingIndex
  return type === undefined || type === defaultInvoiceType ? undefined : typeIndex
}

/** The server would try every index of a search's alternatives, for longer than a count takes. */
function indexToCount(request: ListInvoicesRequest): string {
  const { status, buyerIce, invoiceDateFrom, invoiceDateTo } = request
  if (buyerIce !== undefined) return 'by_buyer_and_created_at'
  const isDated = invoiceDateFrom !== undefined || invoiceDateTo !== undefined
  if (status === undefined) return isDated ? orderIndexes.invoiceDate : orderIndexes.createdAt
  return isDated ? 'by_status_and_invoice_date' : 'by_status_and_created_at'
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

export function toFilter(
  organizationId: string,
  request: ListInvoicesRequest,
): mongo.Filter<InvoiceDocument> {
  const { status, invoiceNumber, buyerIce, invoiceDateFrom, invoiceDateTo, search } = request
  const { type, precedingInvoiceNumber } = request
  const dates = {
    ...(invoiceDateFrom !== undefined && { $gte: invoiceDateFrom }),
    ...(invoiceDateTo !== undefined && { $lte: invoiceDateTo }),
  }
  return {
    organizationId,
    ...(status !== undefined && { 'invoice.status': status }),
    ...(invoiceNumber !== undefined && { 'invoice.invoiceNumber': matchAnyForm(invoiceNumber) }),
    ...(precedingInvoiceNumber !== undefined && {
      [precedingNumber]: matchAnyForm(precedingInvoiceNumber),
    }),
    ...(type !== undefined && { 'invoice.type': type === defaultInvoiceType ? null : type }),
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
  const { text, beginnings, amount } = parseSearch(search)
  const looked = toRegex(text)
  return [
    { 'invoice.invoiceNumber': { $regex: looked } },
    { 'invoice.buyerName': { $regex: looked } },
    ...beginnings.flatMap((beginning): mongo.Filter<InvoiceDocument>[] => {
      const range = { $gte: beginning, $lt: toUpperBound(beginning) }
      return [{ 'invoice.buyerIce': range }, { 'invoice.dgiReference': range }]
    }),
    ...(amount ? [{ 'order.amountTtc': { $gte: amount.from, $lt: amount.to } }] : []),
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
  const hint = ownIndex({ ...filters, sortBy, descending }) ?? indexFor(by, filters)
  return { sort: { [sortFields[by]]: direction, ...ties }, hint }
}

function indexFor(
  by: SortBy,
  { status, buyerIce }: Pick<ListInvoicesRequest, 'status' | 'buyerIce'>,
): string {
  if (by === 'createdAt' && buyerIce !== undefined) return 'by_buyer_and_created_at'
  return chooseIndex({ by, status: buyerIce === undefined ? status : undefined })
}
