import type { Sqlite } from '@einvoicing/stores/sqlite'
import { auditPages, parseEntries, type ReadAuditPage } from '@einvoicing/stores/sqlite-audit-log'
import type { AuditEntry } from '@einvoicing/proto/invoice'

export interface AuditStatements {
  page: ReadAuditPage
  /** The newest `count`, oldest first. */
  ofInvoice: (organizationId: string, invoiceId: string, count: number) => AuditEntry[]
}

export function auditStatements(reader: Sqlite): AuditStatements {
  const ofInvoice = reader.prepare(
    `SELECT entry FROM audit WHERE organization_id = ? AND entry ->> '$.invoiceId' = ?
     ORDER BY position DESC LIMIT ?`,
  )
  return {
    page: auditPages(reader),
    ofInvoice: (organizationId, invoiceId, most) =>
      parseEntries(ofInvoice.all([organizationId, invoiceId, most])).reverse(),
  }
}
