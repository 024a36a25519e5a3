/** The audit as the embedded store lists it. */

import type { Sqlite } from '@einvoicing/kernel/sqlite'
import type { AuditEntry, AuditPage, PageRequest } from '@einvoicing/proto/invoice'

export interface AuditStatements {
  /** Newest first. */
  page(organizationId: string, page: PageRequest): AuditPage
  /** Oldest first: the newest `count` of one invoice. */
  ofInvoice(organizationId: string, invoiceId: string, count: number): AuditEntry[]
}

export function auditStatements(reader: Sqlite): AuditStatements {
  const count = reader.prepare('SELECT count(*) AS total FROM audit WHERE organization_id = ?')
  const page = reader.prepare(
    `SELECT entry FROM audit WHERE organization_id = ?
     ORDER BY entry ->> '$.at' DESC, position DESC LIMIT ? OFFSET ?`,
  )
  const ofInvoice = reader.prepare(
    `SELECT entry FROM audit WHERE organization_id = ? AND entry ->> '$.invoiceId' = ?
     ORDER BY position DESC LIMIT ?`,
  )

  return {
    page(organizationId, { page: at, size }) {
      const { total } = count.get([organizationId]) as { total: number }
      return { entries: entriesOf(page.all([organizationId, size, at * size])), total }
    },
    ofInvoice: (organizationId, invoiceId, most) =>
      entriesOf(ofInvoice.all([organizationId, invoiceId, most])).reverse(),
  }
}

function entriesOf(rows: unknown[]): AuditEntry[] {
  return (rows as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as AuditEntry)
}
