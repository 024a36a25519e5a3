import {
  EarlierEntries,
  emptyChain,
  linkEntry,
  type ChainedContent,
  type ChainHead,
} from '@einvoicing/domain/audit-chain'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { Sqlite } from '@einvoicing/stores/sqlite'
import { auditChainName, type AuditChains, type AuditHead } from '../audit-chains'

// Read again from the store when needed.
const headsMax = 10_000

/** Numbers the entries of each organization in the writer's transaction: it alone writes. */
export class AuditWriter {
  private readonly statements: ReturnType<typeof prepare>
  private heads = new Map<string, ChainHead>()
  private readonly moved = new Set<string>()

  constructor(database: Sqlite) {
    this.statements = prepare(database)
  }

  add(organizationId: string, audit: string): void {
    this.append(organizationId, JSON.parse(audit) as ChainedContent)
  }

  beforeCommit(): void {
    for (const organizationId of this.moved) {
      const { seq, hash } = this.heads.get(organizationId) ?? emptyChain
      this.statements.advance.run([organizationId, seq, hash])
    }
    this.moved.clear()
    if (this.heads.size > headsMax) this.heads.clear()
  }

  undone(): void {
    this.heads = new Map()
    this.moved.clear()
  }

  private append(organizationId: string, entry: ChainedContent): void {
    const chain = auditChainName(organizationId)
    const head = this.heads.get(organizationId) ?? this.open(organizationId, entry.at)
    const link = linkEntry(chain, head, entry)
    this.statements.insert.run([organizationId, JSON.stringify({ ...entry, ...link })])
    this.heads.set(organizationId, link)
    this.moved.add(organizationId)
  }

  private open(organizationId: string, at: string): ChainHead {
    const found = this.statements.head.get([organizationId]) as ChainHead | undefined
    if (found) return found
    const earlier = new EarlierEntries(auditChainName(organizationId))
    for (const row of this.statements.earlier.iterate([organizationId])) {
      earlier.add(JSON.parse((row as { entry: string }).entry) as ChainedContent)
    }
    if (earlier.count === 0) return emptyChain
    this.heads.set(organizationId, emptyChain)
    this.append(organizationId, earlier.begin(at))
    return this.heads.get(organizationId) ?? emptyChain
  }
}

function prepare(database: Sqlite) {
  return {
    insert: database.prepare('INSERT INTO audit (organization_id, entry) VALUES (?, ?)'),
    head: database.prepare('SELECT seq, hash FROM audit_head WHERE organization_id = ?'),
    earlier: database.prepare(
      'SELECT entry FROM audit WHERE organization_id = ? ORDER BY position',
    ),
    advance: database.prepare(
      `INSERT INTO audit_head VALUES (?1, ?2, ?3)
       ON CONFLICT (organization_id) DO UPDATE SET seq = ?2, hash = ?3`,
    ),
  }
}

export function auditChainReads(reader: Sqlite): AuditChains {
  const heads = reader.prepare(
    'SELECT organization_id AS organizationId, seq, hash FROM audit_head ORDER BY organization_id',
  )
  const entries = reader.prepare(
    `SELECT position, entry FROM audit WHERE organization_id = ? AND position > ?
     ORDER BY position LIMIT ?`,
  )
  return {
    // They are in their chain with the commit.
    completeAuditChains: () => Promise.resolve(),
    listAuditHeads: async () => heads.all([]) as AuditHead[],
    async readAuditChain(organizationId, after, count) {
      const rows = entries.all([organizationId, Number(after ?? 0), count])
      return (rows as { position: number; entry: string }[]).map(({ position, entry }) => ({
        entry: JSON.parse(entry) as AuditEntry,
        position: String(position),
      }))
    },
  }
}
