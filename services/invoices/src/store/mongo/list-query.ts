/**
 * Each list walks one index in the requested order, so that nothing is sorted in memory. The usual
 * filters have an index of their own in the usual order.
 */

import { invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import type { Mongo } from '@einvoicing/stores/mongo'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { mongo } from 'mongoose'
import { toInvoice } from './documents'
import { getInvoiceCollection, orderIndexes, type InvoiceDocument } from './schema'
import { toRegex } from '../search'
import type { InvoiceStore } from '../store'

type SortBy = keyof typeof orderIndexes

const sortFields: Record<SortBy, string> = {
  createdAt: 'invoice.createdAt',
  updatedAt: 'invoice.updatedAt',
  invoiceDate: 'invoice.invoiceDate',
  dueDate: 'invoice.dueDate',
  invoiceNumber: 'invoice.invoiceNumber',
  status: 'invoice.status',
  buyerName: 'invoice.buyerName',
  amountHt: 'order.amountHt',
  amountVat: 'order.amountVat',
  amountTtc: 'order.amountTtc',
}

export function lists(mongo: Mongo): Pick<InvoiceStore, 'list'> {
  return {
    list(organizationId, request) {
      const filter = toFilter(organizationId, request)
      const { page, size } = request.page ?? { page: 0, size: 0 }
      const { sort, hint } = chooseOrder(request)
      return mongo.read(async (db) => {
        const [found, total] = await Promise.all([
          size === 0
            ? []
            : getInvoiceCollection(db)
                .find(filter, { projection: { organizationId: 1, invoice: 1 }, hint })
                .sort(sort)
                .skip(page * size)
                .limit(size)
                .toArray(),
          getInvoiceCollection(db).countDocuments(filter),
        ])
        return { invoices: found.map(toInvoice), total }
      })
    },
  }
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
