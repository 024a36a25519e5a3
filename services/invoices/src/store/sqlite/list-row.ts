import { knownCurrencies, minorUnitDigits } from '@einvoicing/domain/currency'
import { defaultInvoiceType, type InvoiceType } from '@einvoicing/domain/invoice-types'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'

/** Stored; ordered as the names are. */
export const statusCodes: Partial<Record<InvoiceStatus, number>> & Record<Stored, number> = {
  ACCEPTED: 1,
  CANCELLED: 2,
  FAILED: 3,
  PENDING: 4,
  REJECTED: 5,
  SIGNED: 6,
  TRANSMITTED: 7,
}
type Stored = Exclude<InvoiceStatus, 'INVOICE_STATUS_UNSPECIFIED'>

export const statusCodeMax = 7

export function findStatusName(code: number): InvoiceStatus | undefined {
  const entries = Object.entries(statusCodes) as [InvoiceStatus, number][]
  return entries.find(([, each]) => each === code)?.[0]
}

export interface ListRow {
  row: number
  organization: number
  id: string
  status: number
  created_at: string
  updated_at: string
  invoice_date: string
  due_date: string
  invoice_number: string
  buyer_name: string
  buyer_ice: string
  reference: string
  type: number
  amount_ht: number
  amount_vat: number
  amount_ttc: number
}

export const listColumns = [
  'row',
  'organization',
  'status',
  'id',
  'created_at',
  'updated_at',
  'invoice_date',
  'due_date',
  'invoice_number',
  'buyer_name',
  'buyer_ice',
  'amount_ht',
  'amount_vat',
  'amount_ttc',
  'reference',
  'type',
] as const satisfies readonly (keyof ListRow)[]

// Other currencies have a minor unit of one hundredth.
const otherMinorUnits = knownCurrencies
  .filter((currency) => minorUnitDigits(currency) !== 2)
  .map((currency) => `WHEN '${currency}' THEN 1e${minorUnitDigits(currency)}`)
  .join(' ')
/** Lists order by major units: 386 yen are more than 5.38 dirhams. */
const unit = `CASE content ->> '$.currency' ${otherMinorUnits} ELSE 1e2 END`
const statusCode = `CASE status ${Object.entries(statusCodes)
  .map(([status, code]) => `WHEN '${status}' THEN ${code}`)
  .join(' ')} ELSE 0 END`

export const typeCodes: Record<InvoiceType, number> = {
  INVOICE: 0,
  CREDIT_NOTE: 1,
  PREPAYMENT_INVOICE: 2,
}

export const typeColumn = `CASE content ->> '$.type' ${Object.entries(typeCodes)
  .map(([type, code]) => `WHEN '${type}' THEN ${code}`)
  .join(' ')} ELSE ${typeCodes[defaultInvoiceType]} END`

export const referenceColumn = `coalesce(content ->> '$.dgiReference', '')`

export const listRowSelect = `SELECT invoice.rowid AS row, list_organization.key AS organization,
    ${statusCode} AS status, invoice.id AS id, created_at, updated_at, invoice_date,
    coalesce(due_date, '') AS due_date, invoice_number, coalesce(buyer_name, '') AS buyer_name,
    coalesce(buyer_ice, '') AS buyer_ice, amount_ht / ${unit} AS amount_ht,
    amount_vat / ${unit} AS amount_vat, amount_ttc / ${unit} AS amount_ttc,
    ${referenceColumn} AS reference, ${typeColumn} AS type
  FROM invoice JOIN list_organization ON list_organization.id = organization_id`

/** Add a condition on `invoice.rowid`. */
export const precedingInsert = `
  INSERT OR IGNORE INTO list_preceding (organization, invoice_number, row)
  SELECT list_organization.key, item.value ->> '$.invoiceNumber', invoice.rowid
  FROM invoice JOIN list_organization ON list_organization.id = organization_id
  CROSS JOIN json_each(content, '$.precedingInvoices.items') AS item
  WHERE instr(content, '"precedingInvoices"') > 0
    AND item.value ->> '$.invoiceNumber' IS NOT NULL AND`
