/** In tables `audit`, `audit_head` and `audit_checkpoint`. */

import {
  auditChainName,
  EarlierEntries,
  emptyChain,
  linkText,
  writeEntryText,
  type AuditChains,
  type AuditHead,
  type AuditLog,
  type ChainedContent,
  type ChainedEntry,
  type ChainHead,
  type CheckpointState,
} from '@einvoicing/runtime/audit-chain'
import type { Sqlite } from './sqlite'

/** As texts, so that the writer makes none. */
export interface ReadyEntry {
  at: string
  json: string
  /** What the hash covers. */
  text: string
}

export function readyEntry(entry: ChainedContent): ReadyEntry {
  return { at: entry.at, json: JSON.stringify(entry), text: writeEntryText(entry) }
}

// Read again from the store when needed.
const headsMax = 10_000

interface Head extends ChainHead {
  chain: string
}

/** Within transactions; several processes may write in turn. */
export class AuditWriter {
  private readonly log: AuditLog
  private readonly statements: ReturnType<typeof prepare>
  private heads = new Map<string, Head>()
  private readonly moved = new Set<string>()
  private version: number | undefined

  constructor(database: Sqlite, log: AuditLog) {
    this.log = log
    this.statements = prepare(database)
  }

  /** A command of the operator may have written since the last transaction. */
  afterBegin(): void {
    const { data_version: version } = this.statements.version.get([]) as { data_version: number }
    if (version !== this.version) this.forget()
    this.version = version
  }

  add(organizationId: string, { at, json, text }: ReadyEntry): void {
    const head = this.heads.get(organizationId) ?? this.open(organizationId, at)
    const { chain } = head
    const { seq, previous, hash } = linkText(chain, head, text)
    const linked = `${json.slice(0, -1)},"seq":${seq},"previous":"${previous}","hash":"${hash}"}`
    this.statements.insert.run([organizationId, linked])
    this.heads.set(organizationId, { chain, seq, hash })
    this.moved.add(organizationId)
  }

  beforeCommit(): void {
    for (const organizationId of this.moved) {
      const { seq, hash } = this.heads.get(organizationId) ?? emptyChain
      this.statements.advance.run([organizationId, seq, hash])
    }
    this.moved.clear()
    if (this.heads.size > headsMax) this.heads.clear()
  }

  /** After a rollback, and after another process may have written. */
  forget(): void {
    this.heads.clear()
    this.moved.clear()
  }

  private open(organizationId: string, at: string): Head {
    const chain = auditChainName(this.log, organizationId)
    const found = this.statements.head.get([organizationId]) as ChainHead | undefined
    if (found) return { chain, seq: found.seq, hash: found.hash }
    const earlier = new EarlierEntries(chain)
    for (const row of this.statements.earlier.iterate([organizationId])) {
      earlier.add(JSON.parse((row as { entry: string }).entry) as ChainedContent)
    }
    const empty = { chain, ...emptyChain }
    if (earlier.count === 0) return empty
    this.heads.set(organizationId, empty)
    this.add(organizationId, readyEntry(earlier.begin(at)))
    return this.heads.get(organizationId) ?? empty
  }
}

function prepare(database: Sqlite) {
  return {
    insert: database.prepare('INSERT INTO audit (organization_id, entry) VALUES (?, ?)'),
    head: database.prepare('SELECT seq, hash FROM audit_head WHERE organization_id = ?'),
    earlier: database.prepare(
      'SELECT entry FROM audit WHERE organization_id = ? ORDER BY position',
    ),
    version: database.prepare('PRAGMA data_version'),
    advance: database.prepare(
      `INSERT INTO audit_head VALUES (?1, ?2, ?3)
       ON CONFLICT (organization_id) DO UPDATE SET seq = ?2, hash = ?3`,
    ),
  }
}

type Read = <T>(work: () => T) => Promise<T>

/** One process writes, so its turn needs no lease. `read` turns what SQLite throws into errors. */
export function auditChainReads(
  reader: Sqlite,
  read: Read,
): Omit<AuditChains, 'writeCheckpointState'> {
  const heads = reader.prepare(
    `SELECT organization_id AS organizationId, seq, hash FROM audit_head
     WHERE organization_id > ? ORDER BY organization_id LIMIT ?`,
  )
  const entries = reader.prepare(
    `SELECT position, entry FROM audit WHERE organization_id = ? AND position > ?
     ORDER BY position LIMIT ?`,
  )
  // Steps from one organization to the next, by the index.
  const headless = reader.prepare(
    `WITH RECURSIVE organizations (id) AS (
       SELECT min(organization_id) FROM audit
       UNION ALL
       SELECT (SELECT min(organization_id) FROM audit WHERE organization_id > id)
       FROM organizations WHERE id IS NOT NULL)
     SELECT id FROM organizations
     WHERE id NOT IN (SELECT organization_id FROM audit_head)
       AND EXISTS (SELECT 1 FROM audit WHERE organization_id = id AND entry ->> '$.seq' > 0)`,
  )
  const checkpoint = reader.prepare('SELECT date, at FROM audit_checkpoint')
  return {
    // They are in their chain with the commit.
    completeAuditChains: () => Promise.resolve(),
    listAuditHeads: (after = '', count) => read(() => heads.all([after, count]) as AuditHead[]),
    listHeadless: () => read(() => (headless.all([]) as { id: string }[]).map(({ id }) => id)),
    readAuditChain: (organizationId, after, count) =>
      read(() => {
        const rows = entries.all([organizationId, Number(after ?? 0), count])
        return (rows as { position: number; entry: string }[]).map(({ position, entry }) => ({
          entry: JSON.parse(entry) as ChainedEntry,
          position: String(position),
        }))
      }),
    takeCheckpointTurn: () => Promise.resolve(true),
    readCheckpointState: () =>
      read(() => {
        const row = checkpoint.get([]) as { date: string | null; at: string } | undefined
        return row && { date: row.date ?? undefined, at: row.at }
      }),
  }
}

export function checkpointStateWriter(database: Sqlite): (state: CheckpointState) => void {
  const write = database.prepare(
    `INSERT INTO audit_checkpoint VALUES (1, ?1, ?2)
     ON CONFLICT (id) DO UPDATE SET date = ?1, at = ?2 WHERE date IS NULL OR date < ?1`,
  )
  return ({ date, at }) => void write.run([date ?? null, at])
}

export const checkpointTable =
  'CREATE TABLE audit_checkpoint (id INTEGER PRIMARY KEY CHECK (id = 1), date TEXT, at TEXT NOT NULL);'
