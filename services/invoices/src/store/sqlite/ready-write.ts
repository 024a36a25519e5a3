import type { Invoice } from '@einvoicing/proto/invoice'
import { readyEntry, type ReadyEntry } from '@einvoicing/stores/sqlite-audit-chain'
import type { WorkPart, Write } from '../store'

/** In the order of `invoiceColumns`. */
export type InvoiceRow = (string | number | null)[]

/** Rows as texts, which threads exchange; the writer makes none. */
export interface ReadyWrite {
  invoice: Pick<Invoice, 'id' | 'organizationId' | 'status'>
  row: InvoiceRow
  audit: ReadyEntry[]
  event: string | undefined
  work: WorkPart | undefined
  xml: Uint8Array | undefined
}

export const invoiceColumns = [
  'id',
  'organization_id',
  'invoice_number',
  'status',
  'buyer_ice',
  'buyer_name',
  'invoice_date',
  'due_date',
  'amount_ht',
  'amount_vat',
  'amount_ttc',
  'clearance_started_at',
  'created_at',
  'updated_at',
  'content',
  'lines',
] as const

export function makeReady(write: Write): ReadyWrite {
  const { invoice, audit, laterAudit = [], event, work, xml } = write
  const { id, organizationId, status } = invoice
  return {
    invoice: { id, organizationId, status },
    row: toRow(write),
    audit: [audit, ...laterAudit].map(readyEntry),
    event: event && JSON.stringify(event),
    work,
    xml,
  }
}

function toRow({ invoice, keepsLines }: Write): InvoiceRow {
  const { lines, signatureLevel: _level, timeStampedAt: _at, ...content } = invoice
  return [
    invoice.id,
    invoice.organizationId,
    invoice.invoiceNumber,
    invoice.status,
    invoice.buyerIce ?? null,
    invoice.buyerName ?? null,
    invoice.invoiceDate,
    invoice.dueDate ?? null,
    invoice.amountHt,
    invoice.amountVat,
    invoice.amountTtc,
    invoice.clearanceStartedAt ?? null,
    invoice.createdAt,
    invoice.updatedAt,
    JSON.stringify(content),
    keepsLines ? null : JSON.stringify(lines),
  ]
}

/** Gives the documents one buffer, which changes threads without a copy. */
export function joinDocuments(writes: readonly ReadyWrite[]): ArrayBuffer[] {
  const bytes = writes.reduce((sum, { xml }) => sum + (xml?.length ?? 0), 0)
  if (bytes === 0) return []
  const joined = new Uint8Array(bytes)
  let offset = 0
  for (const write of writes) {
    if (!write.xml) continue
    joined.set(write.xml, offset)
    write.xml = joined.subarray(offset, (offset += write.xml.length))
  }
  return [joined.buffer]
}
