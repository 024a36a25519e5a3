import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { Bound, Range } from '../text-order'
import { statusCodeMax, type ListRow } from './list-row'

export interface Order {
  column: keyof ListRow
  index: string
}

export interface Narrowing {
  status?: number | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

export interface Slice {
  descending: boolean
  offset: number
  limit: number
}

export const orders = {
  createdAt: order('created_at', 'list_by_creation'),
  updatedAt: order('updated_at', 'list_by_change'),
  invoiceNumber: order('invoice_number', 'list_by_number'),
  invoiceDate: order('invoice_date', 'list_by_invoice_date'),
  dueDate: order('due_date', 'list_by_due_date'),
  status: order('status', 'list_by_status'),
  buyerName: order('buyer_name', 'list_by_buyer_name'),
  amountHt: order('amount_ht', 'list_by_amount_ht'),
  amountVat: order('amount_vat', 'list_by_amount_vat'),
  amountTtc: order('amount_ttc', 'list_by_amount_ttc'),
} as const satisfies Record<string, Order>

function order(column: keyof ListRow, index: string): Order {
  return { column, index }
}

export interface Wanted {
  range?: Range
  narrowing: Narrowing
  slice: Slice
}

export type Statement = ReturnType<Sqlite['prepare']>
type Value = string | number | null

export type Detail = 'total' | 'statuses' | 'dates'

/** By status, with the total at 0. */
export interface Counted {
  counts: number[]
  dateMin: string
  dateMax: string
}

export class OrderedRows {
  private readonly reader: Sqlite
  // Bounded by the combinations of orders, bounds and filters.
  private readonly prepared = new Map<string, Statement>()

  constructor(reader: Sqlite) {
    this.reader = reader
  }

  prepare(sql: string): Statement {
    const statement = this.prepared.get(sql) ?? this.reader.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }

  rows(at: Place, { range = {}, narrowing, slice }: Wanted): number[] {
    const { order } = at
    const { sql, values } = toConditions(at, range, narrowing)
    const direction = slice.descending ? 'DESC' : 'ASC'
    const found = this.prepare(
      `SELECT row FROM ${sql}
       ORDER BY ${order.column} ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    ).all([...values, slice.limit, slice.offset])
    return (found as { row: number }[]).map(({ row }) => row)
  }

  count(at: Place, range: Range, narrowing: Narrowing): number {
    const { sql, values } = toConditions(at, range, narrowing)
    return (this.prepare(`SELECT count(*) AS count FROM ${sql}`).get(values) as { count: number })
      .count
  }

  boundAfter(at: Place, range: Range, count: number): Bound | undefined {
    const { sql, values } = toConditions(at, range, {})
    const { column } = at.order
    return this.prepare(
      `SELECT ${column} AS key, id FROM ${sql} ORDER BY ${column}, id LIMIT 1 OFFSET ?`,
    ).get([...values, count]) as Bound | undefined
  }

  /** As JSON: single rows cost the thread several times as much. */
  texts(at: Place, range: Range): { rows: number[]; texts: string[] } {
    const { sql, values } = toConditions(at, range, {})
    const found = this.prepare(
      `SELECT json_group_array(row) AS rows, json_group_array(${at.order.column}) AS texts
       FROM ${sql}`,
    ).get(values) as { rows: string; texts: string }
    return {
      rows: JSON.parse(found.rows) as number[],
      texts: JSON.parse(found.texts) as string[],
    }
  }

  measure(at: Place, range: Range, detail: Exclude<Detail, 'total'>): Counted {
    const { sql, values } = toConditions(at, range, {})
    const sums = Array.from({ length: statusCodeMax }, (_, index) => {
      return `total(status = ${index + 1}) AS s${index + 1}`
    })
    const dates =
      detail === 'dates' ? `min(invoice_date) AS dateMin, max(invoice_date) AS dateMax` : ''
    const found = this.prepare(
      `SELECT ${['count(*) AS s0', ...sums, ...(dates ? [dates] : [])].join(', ')} FROM ${sql}`,
    ).get(values) as Record<string, number> & { dateMin?: string | null; dateMax?: string | null }
    const counts = Array.from({ length: statusCodeMax + 1 }, (_, code) => found[`s${code}`] ?? 0)
    return { counts, dateMin: found.dateMin ?? '', dateMax: found.dateMax ?? '' }
  }
}

export interface Place {
  organization: number
  order: Order
}

function toConditions(
  { order, organization }: Place,
  { from, to }: Range,
  { status, dateFrom, dateTo }: Narrowing,
): { sql: string; values: Value[] } {
  const conditions = ['organization = ?']
  const values: Value[] = [organization]
  const add = (condition: string, ...bound: Value[]) => {
    conditions.push(condition)
    values.push(...bound)
  }
  if (from) add(`(${order.column}, id) >= (?, ?)`, from.key, from.id)
  if (to) add(`(${order.column}, id) < (?, ?)`, to.key, to.id)
  if (status !== undefined) add('status = ?', status)
  // The plus keeps SQLite from seeking the dates instead of the bounds.
  if (dateFrom !== undefined) add('+invoice_date >= ?', dateFrom)
  if (dateTo !== undefined) add('+invoice_date <= ?', dateTo)
  const sql = `list_row INDEXED BY ${order.index} WHERE ${conditions.join(' AND ')}`
  return { sql, values }
}
