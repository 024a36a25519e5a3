/** The filters are in the address, so that a view can be shared. */

import { defaultSort, sortOrders } from '@einvoicing/domain/invoice-order'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { isIce } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { useSearchParams } from 'wouter'
import { isReversed } from '../api/day-range'
import { readPage } from '../components/page-number'

const filterNames = ['search', 'status', 'type', 'from', 'to', 'ice'] as const

export type FilterName = (typeof filterNames)[number]
export type ListFilter = Partial<Record<FilterName, string>>

export interface ListView {
  filter: ListFilter
  /** `property,asc` or `property,desc`. */
  sort: string
  /** Counts from 0. */
  page: number
  size: number
}

export const pageSizes = [25, 50, 100] as const
const sizeDefault = pageSizes[0]
const day = /^\d{4}-\d{2}-\d{2}$/

export function useListView(): [
  ListView,
  (changed: Partial<ListView>, options?: { replace: boolean }) => void,
] {
  const [parameters, setParameters] = useSearchParams()
  const view = readView(parameters)
  const show = (changed: Partial<ListView>, options?: { replace: boolean }) => {
    // A changed filter starts at the first page.
    setParameters(toParameters({ ...view, page: 0, ...changed }), options)
  }
  return [view, show]
}

/** Without values that the service would reject. */
export function toQuery({ filter, sort, page, size }: ListView): Record<string, string | number> {
  const { search = '', status = '', type = '', from = '', to = '', ice = '' } = filter
  return {
    search: search.trim().slice(0, limits.searchLength),
    status: invoiceStatuses.find((known) => known === status) ?? '',
    type: invoiceTypes.find((known) => known === type) ?? '',
    invoiceDateFrom: day.test(from) ? from : '',
    invoiceDateTo: day.test(to) && !isReversed(filter) ? to : '',
    buyerIce: isIce(ice) ? ice : '',
    sort: sortOrders.includes(sort) ? sort : defaultSort,
    page,
    size,
  }
}

function readView(parameters: URLSearchParams): ListView {
  const entries = filterNames.flatMap((name) => {
    const value = parameters.get(name)
    return value ? [[name, value]] : []
  })
  const size = Number(parameters.get('size'))
  return {
    filter: Object.fromEntries(entries) as ListFilter,
    sort: parameters.get('sort') ?? defaultSort,
    page: readPage(parameters),
    size: pageSizes.find((known) => known === size) ?? sizeDefault,
  }
}

function toParameters({ filter, sort, page, size }: ListView): Record<string, string> {
  const entries = filterNames.flatMap((name) => {
    const value = filter[name]
    return value ? [[name, value]] : []
  })
  return {
    ...(Object.fromEntries(entries) as ListFilter),
    ...(sort !== defaultSort && { sort }),
    ...(page > 0 && { page: String(page + 1) }),
    ...(size !== sizeDefault && { size: String(size) }),
  }
}
