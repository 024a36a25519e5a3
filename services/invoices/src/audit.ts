import type { AuditEntry, Invoice, InvoiceStatus } from '@einvoicing/proto/invoice'

export type AuditAction =
  | 'invoice.created'
  | 'invoice.updated'
  | 'invoice.cancelled'
  | 'invoice.signed'
  | 'invoice.transmitted'
  | 'invoice.accepted'
  | 'invoice.rejected'
  | 'invoice.failed'
  | 'invoice.resubmitted'
  | 'invoice.recovered'
  | 'invoice.credited'
  | 'invoice.credit-released'
  | 'invoice.wait-ended'

export interface Transition {
  at: string
  actor: string
  invoiceId: string
  from?: InvoiceStatus | undefined
  to?: InvoiceStatus | undefined
  detail?: string | undefined
  documentSha256?: string | undefined
}

export function auditEntry(action: AuditAction, transition: Transition): AuditEntry {
  return { action, ...transition }
}

/** Documents that this service does not have: no limit applies to their credit. */
export function describeElsewhere({ precedingInvoices }: Invoice): Pick<Transition, 'detail'> {
  const elsewhere = (precedingInvoices?.items ?? []).filter(({ id }) => id === undefined)
  const numbers = elsewhere.map(({ invoiceNumber }) => invoiceNumber).join(', ')
  return numbers === '' ? {} : { detail: `refers to documents issued elsewhere: ${numbers}` }
}
