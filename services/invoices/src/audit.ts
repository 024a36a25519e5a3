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

export interface Transition {
  /** ISO 8601 UTC. */
  at: string
  actor: string
  invoiceId: string
  /** Absent at creation, and where nothing but content changed. */
  from?: InvoiceStatus | undefined
  to?: InvoiceStatus | undefined
  /** A sentence, or the authority's raw answer. */
  detail?: string | undefined
}

export function auditEntry(action: AuditAction, transition: Transition): AuditEntry {
  return { action, ...transition }
}
