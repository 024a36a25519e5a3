/**
 * The list's one query, put together from the filters and the order asked for; statements are
 * prepared once each.
 */

import { currencies, minorUnitDigits } from '@einvoicing/domain/currency'
import { invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { globOf } from '../search'

// Currencies whose minor unit is no hundredth; amounts are kept in minor units.
const otherMinorUnits = currencies
  .filter((currency) => minorUnitDigits(currency) !== 2)
  .map((currency) => `WHEN '${currency}' THEN 1e${minorUnitDigits(currency)}`)
  .join(' ')
const minorUnitsInOne = `CASE content ->> 'currency' ${otherMinorUnits} ELSE 1e2 END`

/** The order of what the client sees: 386 yen are more than 5.38 dirhams. */
const amountOrder = (column: string): string => `${column} / ${minorUnitsInOne}`

/** What to order by, by the interface's sort properties (design.md, section 5). */
const orders = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  invoiceDate: 'invoice_date',
  dueDate: 'due_date',
  invoiceNumber: 'invoice_number',
  status: 'status',
  buyerName: 'buyer_name',
  amountHt: amountOrder('amount_ht'),
  amountVat: amountOrder('amount_vat'),
  amountTtc: amountOrder('amount_ttc'),
} as const

const filters = {
  status: 'status = ?',
  invoiceNumber: 'invoice_number IN (?, ?, ?)',
  buyerIce: 'buyer_ice = ?',
  invoiceDateFrom: 'invoice_date >= ?',
  invoiceDateTo: 'invoice_date <= ?',
  search: '(invoice_number GLOB ? OR buyer_name GLOB ? OR buyer_ice GLOB ?)',
} as const

function valuesOf(name: keyof typeof filters, given: string): string[] {
  if (name === 'invoiceNumber') return threeForms(given)
  if (name !== 'search') return [given]
  const looked = globOf(given)
  return [`*${looked}*`, `*${looked}*`, `${looked}*`]
}

function threeForms(number: string): string[] {
  const [first = number, second = first, third = first] = invoiceNumberForms(number)
  return [first, second, third]
}

type Statement = ReturnType<Sqlite['prepare']>

export function listStatements(
  reader: Sqlite,
): (organizationId: string, request: ListInvoicesRequest) => { rows: unknown[]; total: number } {
  // Bounded by the combinations of six filters, ten orders and two directions.
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    const statement = prepared.get(sql) ?? reader.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  return (organizationId, request) => {
    const given = (Object.keys(filters) as (keyof typeof filters)[]).filter(
      (name) => request[name] !== undefined,
    )
    const where = ['organization_id = ?', ...given.map((name) => filters[name])].join(' AND ')
    const values = [organizationId, ...given.flatMap((name) => valuesOf(name, request[name] ?? ''))]
    const { page, size } = request.page ?? { page: 0, size: 0 }
    const count = prepare(`SELECT count(*) AS total FROM invoice WHERE ${where}`)
    const rows = prepare(
      `SELECT content FROM invoice WHERE ${where} ORDER BY ${order(request)} LIMIT ? OFFSET ?`,
    )
    const { total } = count.get(values) as { total: number }
    return { rows: rows.all([...values, size, page * size]), total }
  }
}

function order({ sortBy, descending }: ListInvoicesRequest): string {
  if (!Object.hasOwn(orders, sortBy)) throw new Error(`no order by ${sortBy}`)
  const direction = descending ? 'DESC' : 'ASC'
  return `${orders[sortBy as keyof typeof orders]} ${direction}, id ${direction}`
}
