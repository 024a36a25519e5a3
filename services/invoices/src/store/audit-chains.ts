import type { ChainHead } from '@einvoicing/domain/audit-chain'
import type { AuditEntry } from '@einvoicing/proto/invoice'

export interface AuditHead extends ChainHead {
  organizationId: string
}

export interface PlacedAuditEntry {
  entry: AuditEntry
  /** For the next page. */
  position: string
}

/** What `audit verify` reads. */
export interface AuditChains {
  /** Entries that are committed and not in their chain yet. */
  completeAuditChains(): Promise<void>
  listAuditHeads(): Promise<AuditHead[]>
  /** In the order of the chain; first those from before it. */
  readAuditChain(
    organizationId: string,
    after: string | undefined,
    count: number,
  ): Promise<PlacedAuditEntry[]>
}

export function auditChainName(organizationId: string): string {
  return `invoices/${organizationId}`
}
