/** Stored counts and the nearest mark: a page costs the same with a million invoices. */

import type { Sqlite } from '@einvoicing/stores/sqlite'
import { defaultInvoiceType } from '@einvoicing/domain/invoice-types'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import {
  Conditions,
  countStatuses,
  select,
  sumCounts,
  type ListQuery,
  type Found,
} from './select-rows'
import { lookUp } from './looked-up-rows'
import { statusCodes, findStatusName, type ListRow } from './list-row'
import type { MarkedOrders } from './marked-orders'
import { orders, type OrderedRows, type Slice } from './ordered-rows'

/** Up to this many rows are walked or sorted without marks. */
const walkMax = 1_000
const sortMax = 200

export interface ListPage {
  /** JSON, without lines. */
  contents: string[]
  total: number
}

type List = (
  organizationId: string,
  request: ListInvoicesRequest,
  isFolded: boolean,
) => ListPage | 'fold-first'

/** Of an organization: such reads would delay the others on one thread. */
export function mayReadAllRows(request: ListInvoicesRequest): boolean {
  const { search, invoiceNumber, precedingInvoiceNumber, buyerIce, type } = request
  if (search !== undefined) return true
  if (invoiceNumber !== undefined || precedingInvoiceNumber !== undefined) return false
  return buyerIce !== undefined || (type !== undefined && !isNearStart(request))
}

function isNearStart({ type, page, ...narrowing }: ListInvoicesRequest): boolean {
  const { status, invoiceDateFrom, invoiceDateTo } = narrowing
  const isNarrowed = [status, invoiceDateFrom, invoiceDateTo].some((each) => each !== undefined)
  const offset = page ? page.page * page.size : 0
  return type === defaultInvoiceType && !isNarrowed && offset <= walkMax
}

/** `isFolded`: everything the list must show is in the list rows. */
export function listStatements(reader: Sqlite, marked: MarkedOrders): List {
  const selectKey = reader.prepare('SELECT key FROM list_organization WHERE id = ?')
  const selectContents = reader.prepare(
    `SELECT content FROM json_each(?) AS wanted CROSS JOIN invoice ON invoice.rowid = wanted.value
     ORDER BY wanted.key`,
  )
  const unfolded = reader.prepare(
    `SELECT (SELECT coalesce(max(rowid), 0) FROM invoice) > (SELECT folded_to FROM list_state)
       OR EXISTS (SELECT 1 FROM list_stale) AS isLeft`,
  )
  const isUnfolded = () => (unfolded.get([]) as { isLeft: number }).isLeft === 1
  const find = (query: ListQuery, request: ListInvoicesRequest, isFolded: boolean) => {
    const { invoiceNumber, buyerIce, search, type, precedingInvoiceNumber } = request
    const filters = [invoiceNumber, buyerIce, search, precedingInvoiceNumber]
    const isInvoice = type === defaultInvoiceType
    const isLookedUp = [...filters, isInvoice ? undefined : type].some((each) => each !== undefined)
    const near = isLookedUp || isInvoice ? undefined : readNearEnd(marked.rows, query)
    if (near) return near
    if (!isFolded && isUnfolded()) return 'fold-first'
    if (isLookedUp) return lookUp(marked, query, request)
    return isInvoice ? readInvoices(marked, query) : readAlong(marked, query)
  }

  return (organizationId, request, isFolded) => {
    if (request.search !== undefined) marked.follow()
    return marked.inSnapshot(() => {
      const known = selectKey.get([organizationId]) as { key: number } | undefined
      if (!known) return { contents: [], total: 0 }
      const found = find(toQuery(organizationId, known.key, request), request, isFolded)
      if (found === 'fold-first') return found
      const contents = selectContents.all([JSON.stringify(found.rows)]) as { content: string }[]
      return { contents: contents.map(({ content }) => content), total: found.total }
    })
  }
}

function toQuery(
  organizationId: string,
  organization: number,
  request: ListInvoicesRequest,
): ListQuery {
  const { sortBy, descending, status, invoiceDateFrom, invoiceDateTo } = request
  if (!Object.hasOwn(orders, sortBy)) throw new Error(`no order by ${sortBy}`)
  const { page, size } = request.page ?? { page: 0, size: 0 }
  return {
    organizationId,
    organization,
    order: orders[sortBy as keyof typeof orders],
    narrowing: {
      status: status === undefined ? undefined : (statusCodes[status] ?? 0),
      dateFrom: invoiceDateFrom,
      dateTo: invoiceDateTo,
    },
    slice: { descending, offset: page * size, limit: size },
  }
}

const invoiceOrders: Partial<Record<keyof ListRow, string>> = {
  created_at: 'invoice_by_creation',
  updated_at: 'invoice_by_change',
  invoice_number: 'invoice_by_number',
}

/** The first and the last pages need no list row. */
function readNearEnd(rows: OrderedRows, query: ListQuery): Found | undefined {
  const { organizationId, order, narrowing, slice } = query
  const { status, dateFrom, dateTo } = narrowing
  const index = status === undefined ? invoiceOrders[order.column] : 'invoice_by_status'
  const isDated = dateFrom !== undefined || dateTo !== undefined
  if (index === undefined || isDated) return undefined
  if (status !== undefined && order !== orders.createdAt) return undefined
  const total = sumCounts(countStatuses(rows, query, 'count'), status)
  if (Math.min(slice.offset, total - slice.offset) > walkMax) return undefined
  const inStatus = status === undefined ? '' : 'AND status = ?'
  const values = status === undefined ? [] : [findStatusName(status) ?? '']
  const read = ({ descending, offset, limit }: Slice) => {
    const direction = descending ? 'DESC' : 'ASC'
    const found = rows.prepare(
      `SELECT rowid AS row FROM invoice INDEXED BY ${index} WHERE organization_id = ? ${inStatus}
       ORDER BY ${order.column} ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    )
    return found.all([organizationId, ...values, limit, offset]) as { row: number }[]
  }
  return { rows: fromNearEnd(slice, total, read).map(({ row }) => row), total }
}

function readAlong(marked: MarkedOrders, query: ListQuery): Found {
  const { organization, order, narrowing, slice } = query
  const { rows } = marked
  const { status } = narrowing
  const place = { organization, order }
  const isDated = narrowing.dateFrom !== undefined || narrowing.dateTo !== undefined
  const counts = countStatuses(rows, query, 'folded')
  const all = sumCounts(counts, undefined)
  const inStatus = sumCounts(counts, status)
  const walk = (near: Slice) => rows.rows(place, { narrowing, slice: near })
  if (all <= walkMax) {
    const total = isDated ? rows.count(place, {}, narrowing) : inStatus
    return { rows: fromNearEnd(slice, total, walk), total }
  }
  const byDate = { organization, order: orders.invoiceDate }
  const total = isDated ? marked.getMarks(byDate, 'dates').count(narrowing) : inStatus
  if (total <= slice.offset || slice.limit === 0) return { rows: [], total }
  const isNearEnd = Math.min(slice.offset, total - slice.offset) <= walkMax
  if (total === all && isNearEnd) return { rows: fromNearEnd(slice, total, walk), total }
  if (total <= sortMax) return { rows: sortFew(rows, query, isDated), total }
  const detail = isDated ? 'dates' : status === undefined ? 'total' : 'statuses'
  return { rows: marked.getMarks(place, detail).slice(narrowing, slice), total }
}

/** Nearly all rows: the total without the other types. */
function readInvoices(marked: MarkedOrders, query: ListQuery): Found {
  const { organization, order, narrowing, slice } = query
  const { rows } = marked
  const whole = readAlong(marked, { ...query, slice: { ...slice, limit: 0 } })
  const others = new Conditions('l.organization = ? AND l.type <> 0', organization)
  others.narrow(narrowing)
  const counted = rows.prepare(
    `SELECT count(*) AS count FROM list_row l INDEXED BY list_by_type WHERE ${others.sql()}`,
  )
  const { count } = counted.get(others.values) as { count: number }
  const conditions = new Conditions('l.organization = ? AND l.type = 0', organization)
  conditions.narrow(narrowing)
  const isDated = narrowing.dateFrom !== undefined || narrowing.dateTo !== undefined
  const narrowed = narrowing.status === undefined ? order.index : orders.status.index
  const from = `list_row l INDEXED BY ${isDated ? orders.invoiceDate.index : narrowed}`
  const found = slice.limit === 0 ? [] : select(rows, { from, conditions, query })
  return { rows: found.map(({ row }) => row), total: whole.total - count }
}

/** Counted from the end when that is nearer. */
function fromNearEnd<Row>(
  { descending, offset, limit }: Slice,
  total: number,
  read: (slice: Slice) => Row[],
): Row[] {
  const size = Math.min(limit, total - offset)
  if (size <= 0) return []
  const behind = total - offset - size
  if (offset <= behind) return read({ descending, offset, limit: size })
  return read({ descending: !descending, offset: behind, limit: size }).reverse()
}

function sortFew(rows: OrderedRows, query: ListQuery, isDated: boolean): number[] {
  const { organization, narrowing } = query
  const conditions = new Conditions('l.organization = ?', organization)
  conditions.narrow(narrowing)
  const index = isDated ? 'list_by_invoice_date' : 'list_by_status'
  const from = `list_row l INDEXED BY ${index}`
  return select(rows, { from, conditions, query }).map(({ row }) => row)
}
