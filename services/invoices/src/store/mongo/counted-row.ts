import type { Invoice, InvoiceStatus } from '@einvoicing/proto/invoice'
import type { Key } from '../text-order'

export interface CountedRow {
  status: InvoiceStatus
  createdAt: string
  updatedAt: string
  invoiceNumber: string
  invoiceDate: string
  dueDate?: string
  buyerName?: string
  amountHt: number
  amountVat: number
  amountTtc: number
}

export type SortBy = keyof CountedRow

export const sortFields = {
  status: 'invoice.status',
  createdAt: 'invoice.createdAt',
  updatedAt: 'invoice.updatedAt',
  invoiceNumber: 'invoice.invoiceNumber',
  invoiceDate: 'invoice.invoiceDate',
  dueDate: 'invoice.dueDate',
  buyerName: 'invoice.buyerName',
  amountHt: 'order.amountHt',
  amountVat: 'order.amountVat',
  amountTtc: 'order.amountTtc',
} as const satisfies Record<SortBy, string>

export interface CountedChange {
  id: string
  /** Absent for an invoice that was not counted before. */
  before?: CountedRow
  after: CountedRow
}

/** Every write, by older versions too, replaces `order` and so removes the mark. */
export const uncounted = { 'order.counted': null } as const

const fields = Object.entries(sortFields) as [SortBy, string][]

export const changeProjection = {
  organizationId: 1,
  ...Object.fromEntries(fields.map(([, field]) => [field, 1])),
} as const

interface Current {
  _id: string
  invoice: Omit<Invoice, 'id' | 'organizationId' | 'lines'>
  order: Pick<CountedRow, 'amountHt' | 'amountVat' | 'amountTtc'>
}

export function toChange({ _id: id, invoice, order }: Current, before?: CountedRow): CountedChange {
  const { status, createdAt, updatedAt, invoiceNumber, invoiceDate, dueDate, buyerName } = invoice
  const { amountHt, amountVat, amountTtc } = order
  const after = {
    status,
    createdAt,
    updatedAt,
    invoiceNumber,
    invoiceDate,
    ...(dueDate !== undefined && { dueDate }),
    ...(buyerName !== undefined && { buyerName }),
    amountHt,
    amountVat,
    amountTtc,
  }
  return { id, ...(before && { before }), after }
}

export const readKey = (row: CountedRow, by: SortBy): Key => row[by] ?? null
