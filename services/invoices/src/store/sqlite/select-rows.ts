import type { Narrowing, Order, OrderedRows, Slice } from './ordered-rows'

export interface Found {
  rows: number[]
  total: number
}

export interface ListQuery {
  organizationId: string
  organization: number
  order: Order
  narrowing: Narrowing
  slice: Slice
}

export function countStatuses(
  rows: OrderedRows,
  { organization }: ListQuery,
  column: 'count' | 'folded',
): Map<number, number> {
  const counted = rows.prepare(
    `SELECT status, ${column} AS count FROM list_count WHERE organization = ?`,
  )
  const found = counted.all([organization]) as { status: number; count: number }[]
  return new Map(found.map(({ status, count }) => [status, count]))
}

export function sumCounts(counts: ReadonlyMap<number, number>, status: number | undefined): number {
  if (status !== undefined) return counts.get(status) ?? 0
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

export interface Selection {
  from: string
  conditions: Conditions
  query: ListQuery
  columns?: string
}

export function select(rows: OrderedRows, { from, conditions, query, columns = '' }: Selection) {
  const { descending, limit, offset } = query.slice
  const direction = descending ? 'DESC' : 'ASC'
  const statement = rows.prepare(
    `SELECT l.row AS row${columns} FROM ${from} WHERE ${conditions.sql()}
     ORDER BY l.${query.order.column} ${direction}, l.id ${direction} LIMIT ? OFFSET ?`,
  )
  return statement.all([...conditions.values, limit, offset]) as { row: number; total?: number }[]
}

export class Conditions {
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
