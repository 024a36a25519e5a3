/** By number, buyer or search. A search compares a few candidates. */

import { invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import type { InvoiceType } from '@einvoicing/domain/invoice-types'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { toUpperBound, parseSearch, toGlob } from '../search'
import {
  Conditions,
  countStatuses,
  select,
  sumCounts,
  type ListQuery,
  type Found,
  type Selection,
} from './select-rows'
import { typeCodes, type ListRow } from './list-row'
import type { MarkedOrders } from './marked-orders'
import type { OrderedRows } from './ordered-rows'

/** For more candidates a search reads all rows. */
const candidatesMax = 50_000
/** Shorter texts are in too many rows. */
const searchedFrom = 3
const readMax = 1_000

export function lookUp(
  marked: MarkedOrders,
  query: ListQuery,
  request: ListInvoicesRequest,
): Found {
  const { rows } = marked
  const { organizationId, organization, narrowing } = query
  const { invoiceNumber, buyerIce, search, type, precedingInvoiceNumber } = request
  const conditions = new Conditions('l.organization = ?', organization)
  conditions.narrow(narrowing)
  let from = 'list_row l NOT INDEXED'
  if (type !== undefined) {
    const code = typeCodes[type as InvoiceType]
    conditions.add('l.type = ?', code)
    if (code !== 0) {
      conditions.add('l.type <> 0')
      from = 'list_row l INDEXED BY list_by_type'
    }
  }
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
  if (precedingInvoiceNumber !== undefined) {
    const [first = '', second = first, third = first] = invoiceNumberForms(precedingInvoiceNumber)
    conditions.add(
      `l.row IN (SELECT row FROM list_preceding WHERE organization = ? AND invoice_number IN (?, ?, ?))`,
      ...[organization, first, second, third],
    )
    from = 'list_row l NOT INDEXED'
  }
  if (search !== undefined) {
    const candidates = findCandidates(marked, query, search)
    if (candidates) {
      conditions.add('l.row IN (SELECT value FROM json_each(?))', JSON.stringify(candidates))
      from = 'list_row l NOT INDEXED'
    }
    addSearch(conditions, search)
  }
  return sortAndCount(rows, { from, conditions, query })
}

/** All rows that may match; `undefined` for too many. */
function findCandidates(
  marked: MarkedOrders,
  query: ListQuery,
  search: string,
): number[] | undefined {
  const { rows } = marked
  const { organization } = query
  const count = sumCounts(countStatuses(rows, query, 'folded'), undefined)
  if (count <= readMax) return undefined
  const { text, beginnings, amount } = parseSearch(search)
  const index = text.length < searchedFrom ? undefined : marked.getSearchIndex(organization, count)
  const found = index?.find(text, candidatesMax)
  if (!found) return undefined
  const add = (column: keyof typeof rangeIndexes, from: string | number, to: string | number) => {
    const isPresent = column === 'amount_ttc' ? '' : `AND ${column} <> ''`
    const range = rows.prepare(
      `SELECT row FROM list_row INDEXED BY ${rangeIndexes[column]}
       WHERE organization = ? AND ${column} >= ? AND ${column} < ? ${isPresent} LIMIT ?`,
    )
    const more = range.all([organization, from, to, candidatesMax + 1]) as { row: number }[]
    for (const { row } of more) found.push(row)
  }
  for (const beginning of beginnings) {
    add('buyer_ice', beginning, toUpperBound(beginning))
    add('reference', beginning, toUpperBound(beginning))
  }
  if (amount) add('amount_ttc', amount.from, amount.to)
  return found.length > candidatesMax ? undefined : found
}

const rangeIndexes = {
  buyer_ice: 'list_by_buyer',
  reference: 'list_by_reference',
  amount_ttc: 'list_by_amount_ttc',
} as const satisfies Partial<Record<keyof ListRow, string>>

function addSearch(conditions: Conditions, search: string): void {
  const { text, beginnings, amount } = parseSearch(search)
  const glob = `*${toGlob(text)}*`
  const within = ['l.invoice_number GLOB ?', 'l.buyer_name GLOB ?']
  const values: (string | number)[] = [glob, glob]
  for (const beginning of beginnings) {
    for (const column of ['buyer_ice', 'reference']) {
      within.push(`(l.${column} >= ? AND l.${column} < ?)`)
      values.push(beginning, toUpperBound(beginning))
    }
  }
  if (amount) {
    within.push('(l.amount_ttc >= ? AND l.amount_ttc < ?)')
    values.push(amount.from, amount.to)
  }
  conditions.add(`(${within.join(' OR ')})`, ...values)
}

/** In one pass, because a search reads many rows. */
function sortAndCount(rows: OrderedRows, { from, conditions, query }: Selection): Found {
  const { sql, values } = conditions
  const found = select(rows, {
    from,
    conditions,
    query,
    columns: ', count(*) OVER () AS total',
  })
  if (found[0]) return { rows: found.map(({ row }) => row), total: found[0].total ?? 0 }
  const count = rows.prepare(`SELECT count(*) AS total FROM ${from} WHERE ${sql()}`)
  return { rows: [], ...(count.get(values) as { total: number }) }
}
