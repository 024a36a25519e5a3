import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import type { Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import type { InvoiceStore, InvoiceSummary } from '../store'

export interface InvoiceRow {
  content: string
  lines?: string
  level?: string | null
  timeStampedAt?: string | null
}

type InvoiceReads = Pick<
  InvoiceStore,
  'get' | 'getWithoutLines' | 'find' | 'readSummaries' | 'readXml'
>

export function invoiceReads(reader: Sqlite): InvoiceReads {
  const select = `
    SELECT content, lines, level, time_stamped_at AS timeStampedAt
    FROM invoice LEFT JOIN evidence ON evidence.invoice_id = id WHERE id = ?`
  const byId = reader.prepare(`${select} AND invoice.organization_id = ?`)
  const lineless = reader.prepare(
    'SELECT content FROM invoice WHERE id = ? AND organization_id = ?',
  )
  const ofAny = reader.prepare(select)
  const xmlById = reader.prepare(
    'SELECT xml FROM signed_xml WHERE invoice_id = ? AND organization_id = ?',
  )
  const summaries = reader.prepare(
    `SELECT id, invoice_number AS invoiceNumber, status FROM invoice
     WHERE organization_id = ? AND id IN (SELECT value FROM json_each(?))`,
  )
  const read = <T>(work: () => T) => orUnavailable('The invoice store', work)

  return {
    readSummaries: (organizationId, invoiceIds) =>
      read(() => {
        const rows = summaries.all([organizationId, JSON.stringify(invoiceIds)])
        return new Map(
          (rows as (InvoiceSummary & { id: string })[]).map(({ id, ...summary }) => [id, summary]),
        )
      }),
    get: (organizationId, invoiceId) =>
      read(() => {
        const row = byId.get([invoiceId, organizationId]) as InvoiceRow | undefined
        return row && toInvoice(row)
      }),
    getWithoutLines: (organizationId, invoiceId) =>
      read(() => {
        const row = lineless.get([invoiceId, organizationId]) as InvoiceRow | undefined
        return row && toInvoice(row)
      }),
    find: (invoiceId) =>
      read(() => {
        const row = ofAny.get([invoiceId]) as InvoiceRow | undefined
        return row && toInvoice(row)
      }),
    readXml: (organizationId, invoiceId) =>
      read(() => {
        const row = xmlById.get([invoiceId, organizationId]) as { xml: Buffer } | undefined
        return row?.xml
      }),
  }
}

export function toInvoice({ content, lines = '[]', level, timeStampedAt }: InvoiceRow): Invoice {
  return Object.assign(
    JSON.parse(content) as Omit<Invoice, 'lines'>,
    { lines: JSON.parse(lines) as InvoiceLine[] },
    level && timeStampedAt && { signatureLevel: level, timeStampedAt },
  )
}
