/** Invoices and their writes as the store's contract makes them, each at a moment of its own. */

import { randomUUID } from 'node:crypto'
import type { AuditEntry, Invoice } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { signedEvent } from '../../signed-event'
import type { QueuedWork, DueWork, InvoiceStore, Write } from '../store'

export interface StoreUnderTest {
  store: InvoiceStore
  /** Closes, and opens again on the same data. */
  reopen(): Promise<InvoiceStore>
  remove(): Promise<void>
}

let moments = 0
export const moment = () => new Date(Date.UTC(2026, 0, 1) + ++moments).toISOString()

export function anInvoice(fields: Partial<Invoice> = {}): Invoice {
  const at = moment()
  return {
    id: randomUUID(),
    organizationId: 'org-1',
    status: 'SIGNED',
    issuer: undefined,
    invoiceNumber: `F-${randomUUID()}`,
    invoiceDate: '2026-05-03',
    currency: 'MAD',
    paymentMethod: 'CASH',
    lines: [
      {
        lineNumber: 1,
        description: 'é',
        quantity: '1.5',
        unitPrice: '2',
        vatRate: 20,
        amountHt: 300,
      },
    ],
    amountHt: 300,
    amountVat: 60,
    amountTtc: 360,
    vatSubtotals: [{ vatRate: 20, taxableAmount: 300, vatAmount: 60 }],
    clearanceStartedAt: at,
    createdAt: at,
    updatedAt: at,
    ...fields,
  }
}

export const audit = (invoice: Invoice, action = 'invoice.created'): AuditEntry => ({
  at: invoice.updatedAt,
  actor: 'api-key:1',
  action,
  invoiceId: invoice.id,
  to: invoice.status,
})

export const write = (invoice: Invoice, more: Partial<Write> = {}): Write => ({
  invoice,
  audit: audit(invoice),
  ...more,
})

export const signedWrite = (invoice: Invoice): Write =>
  write(invoice, {
    xml: Buffer.from(`<Invoice>${invoice.id}</Invoice>`),
    event: signedEvent(invoice),
    work: 'signed-xml',
  })

export const later = (invoice: Invoice, fields: Partial<Invoice>): Invoice => ({
  ...invoice,
  ...fields,
  updatedAt: moment(),
})

export const listRequest = (fields: Partial<ListInvoicesRequest> = {}): ListInvoicesRequest => ({
  page: { page: 0, size: 100 },
  sortBy: 'createdAt',
  descending: true,
  ...fields,
})

/** What is due now of the first organization that has any; taken for no time at all. */
export function dueWork(store: InvoiceStore, query: Partial<DueWork> = {}): Promise<QueuedWork[]> {
  const now = query.now ?? new Date().toISOString()
  const everything = { queue: 'archive', after: '', except: [], underway: [], count: 10 } as const
  return store.takeWork({ ...everything, now, horizon: '9999', leaseUntil: now, ...query })
}
