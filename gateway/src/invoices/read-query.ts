import type { PageRequest } from '@einvoicing/proto/invoice'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { defaultSort, sortOrders, sortProperties } from '@einvoicing/domain/invoice-order'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { limits } from '@einvoicing/domain/limits'
import type { FieldError } from '@einvoicing/domain/api-error'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import {
  pageRules,
  readQuery,
  toPageRequest,
  type QueryParameters,
  type QueryRules,
} from '../fields/read-query'
import { annotateRule, calendarDate, defineRule, filledText, oneOf } from '../fields/rules'
import { buyerIce } from './optional-fields'

export const listRules: QueryRules = {
  ...pageRules,
  status: oneOf(invoiceStatuses),
  sort: defineRule(
    {
      type: 'string',
      enum: sortOrders,
      default: defaultSort,
      description: 'Ties are broken by id, so that pages never overlap.',
    },
    (value) =>
      sortOrders.includes(String(value))
        ? undefined
        : `must be property,asc or property,desc, with one of ${sortProperties.join(', ')}`,
  ),
  invoiceNumber: annotateRule(filledText(limits.invoiceNumberLength), {
    description: 'Exactly this number, whatever its Unicode form.',
  }),
  buyerIce,
  type: oneOf(invoiceTypes),
  precedingInvoiceNumber: annotateRule(filledText(limits.invoiceNumberLength), {
    description: 'Documents that correct or complete the invoice with exactly this number.',
  }),
  search: annotateRule(filledText(limits.searchLength), {
    description:
      "In any case of letters: in the number, in the buyer's name, or at the beginning of the buyer's ICE or of dgiReference. An amount including VAT as it begins: 1200 finds 1200.60, and so do 1200.60, 1 200,60 and 1,200.60.",
  }),
  invoiceDateFrom: annotateRule(calendarDate, { description: 'The first day, included.' }),
  invoiceDateTo: annotateRule(calendarDate, {
    description: 'The last day, included; not before invoiceDateFrom.',
  }),
}

export function readListQuery(url: string): ListInvoicesRequest & { page: PageRequest } {
  const query = readQuery(url, listRules, findDateOrderErrors)
  const [sortBy = '', direction] = (query['sort'] ?? defaultSort).split(',')
  const { status, invoiceNumber, buyerIce, invoiceDateFrom, invoiceDateTo, search } = query
  const { type, precedingInvoiceNumber } = query
  return {
    ...(status !== undefined && { status: status as InvoiceStatus }),
    ...(invoiceNumber !== undefined && { invoiceNumber }),
    ...(buyerIce !== undefined && { buyerIce }),
    ...(type !== undefined && { type }),
    ...(precedingInvoiceNumber !== undefined && { precedingInvoiceNumber }),
    ...(invoiceDateFrom !== undefined && { invoiceDateFrom }),
    ...(invoiceDateTo !== undefined && { invoiceDateTo }),
    ...(search !== undefined && { search: search.trim() }),
    page: toPageRequest(query),
    sortBy,
    descending: direction === 'desc',
  }
}

function findDateOrderErrors({ invoiceDateFrom, invoiceDateTo }: QueryParameters): FieldError[] {
  if (calendarDate(invoiceDateFrom) ?? calendarDate(invoiceDateTo)) return []
  if (String(invoiceDateFrom) <= String(invoiceDateTo)) return []
  const message = `must not be before invoiceDateFrom (${String(invoiceDateFrom)})`
  return [{ field: 'invoiceDateTo', message }]
}
