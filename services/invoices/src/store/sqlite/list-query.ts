/**
 * A list is counted from stored counts and read along an index from the nearest mark, so that a
 * page costs the same with a million invoices. A search reads all rows left by the other filters.
 */

import { invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { toGlob } from '../search'
import { statusCodes, findStatusName, type ListRow } from './list-row'
import type { MarkedOrders } from './marked-orders'
import { orders, type Narrowing, type Order, type OrderedRows, type Slice } from './ordered-rows'

/** Up to this many rows are walked or sorted without marks. */
const walkMax = 1_000
const sortMax = 200

export interface ListPage {
  /** JSON, without lines. */
  contents: string[]
  total: number
}

interface Found {
  rows: number[]
  total: number
}

interface Asked {
  organizationId: string
  organization: number
  order: Order
  narrowing: Narrowing
  slice: Slice
}

type List = (
  organizationId: string,
  request: ListInvoicesRequest,
  isFolded: boolean,
) => ListPage | 'fold-first'

/** `isFolded`: everything the list must show is in the list rows. */
export function listStatements(reader: Sqlite, marked: MarkedOrders): List {
  const keyOf = reader.prepare('SELECT key FROM list_organization WHERE id = ?')
  const contentsOf = reader.prepare(
    `SELECT content FROM json_each(?) AS wanted CROSS JOIN invoice ON invoice.rowid = wanted.value
     ORDER BY wanted.key`,
  )
  const unfolded = reader.prepare(
    `SELECT (SELECT coalesce(max(rowid), 0) FROM invoice) > (SELECT folded_to FROM list_state)
       OR EXISTS (SELECT 1 FROM list_stale) AS isLeft`,
  )
  const isUnfolded = () => (unfolded.get([]) as { isLeft: number }).isLeft === 1
  const find = (asked: Asked, request: ListInvoicesRequest, isFolded: boolean) => {
    const { invoiceNumber, buyerIce, search } = request
    const isLookedUp = [invoiceNumber, buyerIce, search].some((filter) => filter !== undefined)
    const near = isLookedUp ? undefined : readNearEnd(marked.rows, asked)
    if (near) return near
    if (!isFolded && isUnfolded()) return 'fold-first'
    return isLookedUp ? lookUp(marked.rows, asked, request) : readAlong(marked, asked)
  }

  return (organizationId, request, isFolded) =>
    marked.inSnapshot(() => {
      const known = keyOf.get([organizationId]) as { key: number } | undefined
      if (!known) return { contents: [], total: 0 }
      const found = find(toAsked(organizationId, known.key, request), request, isFolded)
      if (found === 'fold-first') return found
      const contents = contentsOf.all([JSON.stringify(found.rows)]) as { content: string }[]
      return { contents: contents.map(({ content }) => content), total: found.total }
    })
}

function toAsked(
  organizationId: string,
  organization: number,
  request: ListInvoicesRequest,
): Asked {
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

/** The first pages and the last need no list row. */
function readNearEnd(rows: OrderedRows, asked: Asked): Found | undefined {
  const { organizationId, order, narrowing, slice } = asked
  const { status, dateFrom, dateTo } = narrowing
  const index = status === undefined ? invoiceOrders[order.column] : 'invoice_by_status'
  const isDated = dateFrom !== undefined || dateTo !== undefined
  if (index === undefined || isDated) return undefined
  if (status !== undefined && order !== orders.createdAt) return undefined
  const total = sumCounts(countStatuses(rows, asked, 'count'), status)
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

function readAlong(marked: MarkedOrders, asked: Asked): Found {
  const { organization, order, narrowing, slice } = asked
  const { rows } = marked
  const { status } = narrowing
  const place = { organization, order }
  const isDated = narrowing.dateFrom !== undefined || narrowing.dateTo !== undefined
  const counts = countStatuses(rows, asked, 'folded')
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
  if (total <= sortMax) return { rows: sortFew(rows, asked, isDated), total }
  const detail = isDated ? 'dates' : status === undefined ? 'total' : 'statuses'
  return { rows: marked.getMarks(place, detail).slice(narrowing, slice), total }
}

function countStatuses(
  rows: OrderedRows,
  { organization }: Asked,
  column: 'count' | 'folded',
): Map<number, number> {
  const counted = rows.prepare(
    `SELECT status, ${column} AS count FROM list_count WHERE organization = ?`,
  )
  const found = counted.all([organization]) as { status: number; count: number }[]
  return new Map(found.map(({ status, count }) => [status, count]))
}

function sumCounts(counts: ReadonlyMap<number, number>, status: number | undefined): number {
  if (status !== undefined) return counts.get(status) ?? 0
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/** The same rows, counted from the end when that is nearer. */
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

function sortFew(rows: OrderedRows, asked: Asked, isDated: boolean): number[] {
  const { organization, narrowing } = asked
  const conditions = new Conditions('l.organization = ?', organization)
  conditions.narrow(narrowing)
  const index = isDated ? 'list_by_invoice_date' : 'list_by_status'
  const from = `list_row l INDEXED BY ${index}`
  return select(rows, { from, conditions, asked }).map(({ row }) => row)
}

function lookUp(rows: OrderedRows, asked: Asked, request: ListInvoicesRequest): Found {
  const { organizationId, organization, narrowing } = asked
  const { invoiceNumber, buyerIce, search } = request
  const conditions = new Conditions('l.organization = ?', organization)
  conditions.narrow(narrowing)
  let from = 'list_row l NOT INDEXED'
  if (buyerIce !== undefined) {
    conditions.add(`l.buyer_ice = ? AND l.buyer_ice <> ''`, buyerIce)
    from = 'list_row l INDEXED BY list_by_buyer'
  }
  if (invoiceNumber !== undefined) {
    const [first = invoiceNumber, second = first, third = first] = invoiceNumberForms(invoiceNumber)
    conditions.add(
      `l.row IN (SELECT rowid FROM invoice WHERE organization_id = ? AND invoice_number IN (?, ?, ?))`,
      ...[organizationId, first, second, third],
    )
    from = 'list_row l NOT INDEXED'
  }
  if (search !== undefined) {
    const looked = toGlob(search)
    conditions.add(
      '(l.invoice_number GLOB ? OR l.buyer_name GLOB ? OR l.buyer_ice GLOB ?)',
      ...[`*${looked}*`, `*${looked}*`, `${looked}*`],
    )
  }
  return sortAndCount(rows, { from, conditions, asked })
}

/** In one pass, because a search reads many rows. */
function sortAndCount(rows: OrderedRows, { from, conditions, asked }: Selection): Found {
  const { sql, values } = conditions
  const found = select(rows, { from, conditions, asked, columns: ', count(*) OVER () AS total' })
  if (found[0]) return { rows: found.map(({ row }) => row), total: found[0].total ?? 0 }
  const count = rows.prepare(`SELECT count(*) AS total FROM ${from} WHERE ${sql()}`)
  return { rows: [], ...(count.get(values) as { total: number }) }
}

interface Selection {
  from: string
  conditions: Conditions
  asked: Asked
  columns?: string
}

function select(rows: OrderedRows, { from, conditions, asked, columns = '' }: Selection) {
  const { descending, limit, offset } = asked.slice
  const direction = descending ? 'DESC' : 'ASC'
  const statement = rows.prepare(
    `SELECT l.row AS row${columns} FROM ${from} WHERE ${conditions.sql()}
     ORDER BY l.${asked.order.column} ${direction}, l.id ${direction} LIMIT ? OFFSET ?`,
  )
  return statement.all([...conditions.values, limit, offset]) as { row: number; total?: number }[]
}

class Conditions {
  readonly values: (string | number)[] = []
  private readonly conditions: string[] = []

  constructor(condition: string, ...values: (string | number)[]) {
    this.add(condition, ...values)
  }

  readonly sql = (): string => this.conditions.join(' AND ')

  add(condition: string, ...values: (string | number)[]): void {
    this.conditions.push(condition)
    this.values.push(...values)
  }

  narrow({ status, dateFrom, dateTo }: Narrowing): void {
    if (status !== undefined) this.add('l.status = ?', status)
    if (dateFrom !== undefined) this.add('l.invoice_date >= ?', dateFrom)
    if (dateTo !== undefined) this.add('l.invoice_date <= ?', dateTo)
  }
}
