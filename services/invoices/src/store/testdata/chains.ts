import { verifyAudit, type AuditFinding } from '@einvoicing/verification/audit/verify-audit'
import { documentCheck } from '../../commands/find-document-problem'
import type { InvoiceStore } from '../store'

export const organizationId = 'org-1'

/** As `verify-audit` does; nobody is trusted to have signed a checkpoint. */
export async function verify(store: InvoiceStore, of = organizationId): Promise<AuditFinding[]> {
  const found: AuditFinding[] = []
  const trust = { trusted: undefined, now: new Date() }
  const findDocument = documentCheck(store, { readArchived: undefined, mayBeMissing: () => false })
  const audit = { log: 'invoices', chains: store, findDocument, trust, organizationId: of } as const
  for await (const chain of verifyAudit(audit)) found.push(chain)
  return found
}

export const intact = (entries: number, of = organizationId) => [
  { log: 'invoices', kind: 'chain', organizationId: of, entries },
]
