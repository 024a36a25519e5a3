import type { ChainedEntry } from '@einvoicing/runtime/audit-chain'
import { auditWindow, AuditPageWriter, type AuditPageEntries } from './audit-page'
import type { Sqlite } from './sqlite'

interface AuditQuery extends Filters {
  page: number
  size: number
  skip?: number | undefined
  momentsOnly?: boolean | undefined
  uncounted?: boolean | undefined
}

type Filters = { [Name in keyof typeof filters]?: string | undefined }

export type ReadAuditPage = (
  organizationId: string,
  query: AuditQuery,
) => AuditPageEntries<ChainedEntry> & { moments?: { at: string[] }; total: number }

const filters = {
  action: "entry ->> '$.action' = ?",
  actor: "entry ->> '$.actor' = ?",
  invoiceId: "entry ->> '$.invoiceId' = ?",
  network: "entry ->> '$.network' = ?",
  device: "instr(lower(entry ->> '$.device'), lower(?)) > 0",
  atFrom: "entry ->> '$.at' >= ?",
  atBefore: "entry ->> '$.at' < ?",
} as const

/** A filter that ends so matches all that begin with it: `invoice.`, `user:`. */
const prefixEnds: Partial<Record<keyof typeof filters, string>> = { action: '.', actor: ':' }

/** Newest first. A filter by anything but moments reads the whole log of the organization. */
export function auditPages(reader: Sqlite): ReadAuditPage {
  // Bounded by the combinations of the filters.
  const prepared = new Map<string, ReturnType<Sqlite['prepare']>>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? reader.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  return (organizationId, query) => {
    const { conditions, values } = toConditions(organizationId, query)
    const { momentsOnly = false, uncounted = false } = query
    const { offset, count } = auditWindow(query)
    const rows = prepare(
      `SELECT ${momentsOnly ? "entry ->> '$.at' AS at" : 'entry'} FROM audit WHERE ${conditions}
       ORDER BY entry ->> '$.at' DESC, position DESC LIMIT ? OFFSET ?`,
    ).all([...values, count, offset])
    const page = new AuditPageWriter<ChainedEntry>(query)
    if (!momentsOnly) rows.every((row) => page.add(parseEntry(row)))
    const moments = momentsOnly && {
      moments: { at: (rows as { at: string }[]).map(({ at }) => at) },
    }
    const counting = uncounted || prepare(`SELECT count(*) AS total FROM audit WHERE ${conditions}`)
    const total = counting === true ? 0 : (counting.get(values) as { total: number }).total
    return { ...page.end(), ...moments, total }
  }
}

export function parseEntries(rows: unknown[]): ChainedEntry[] {
  return rows.map(parseEntry)
}

function parseEntry(row: unknown): ChainedEntry {
  return JSON.parse((row as { entry: string }).entry) as ChainedEntry
}

function toConditions(organizationId: string, query: AuditQuery) {
  const conditions = ['organization_id = ?']
  const values = [organizationId]
  for (const name of Object.keys(filters) as (keyof typeof filters)[]) {
    const wanted = query[name]
    if (wanted === undefined) continue
    const isPrefix = wanted.endsWith(prefixEnds[name] ?? '\0')
    conditions.push(isPrefix ? `substr(entry ->> '$.${name}', 1, ?) = ?` : filters[name])
    values.push(...(isPrefix ? [String(wanted.length), wanted] : [wanted]))
  }
  return { conditions: conditions.join(' AND '), values }
}
