import type { AuditEntry, InvoiceStatus } from '@einvoicing/proto/invoice'

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
