import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { AuditEntry, AuditPage, ListAuditRequest } from '@einvoicing/proto/invoice'

export interface AuditStatements {
  page(organizationId: string, request: ListAuditRequest): AuditPage
  /** The newest `count`, oldest first. */
  ofInvoice(organizationId: string, invoiceId: string, count: number): AuditEntry[]
}

export function auditStatements(reader: Sqlite): AuditStatements {
  // Bounded by the combinations of six filters.
  const prepared = new Map<string, ReturnType<Sqlite['prepare']>>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? reader.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const ofInvoice = reader.prepare(
    `SELECT entry FROM audit WHERE organization_id = ? AND entry ->> '$.invoiceId' = ?
     ORDER BY position DESC LIMIT ?`,
  )

  return {
    page(organizationId, request) {
      const { conditions, values } = toConditions(organizationId, request)
      const { page, size, uncounted = false } = request
      const rows = prepare(
        `SELECT entry FROM audit WHERE ${conditions}
         ORDER BY entry ->> '$.at' DESC, position DESC LIMIT ? OFFSET ?`,
      )
      const count = uncounted || prepare(`SELECT count(*) AS total FROM audit WHERE ${conditions}`)
      const total = count === true ? 0 : (count.get(values) as { total: number }).total
      return { entries: parseEntries(rows.all([...values, size, page * size])), total }
    },
    ofInvoice: (organizationId, invoiceId, most) =>
      parseEntries(ofInvoice.all([organizationId, invoiceId, most])).reverse(),
  }
}

const filters = {
  action: "entry ->> '$.action' = ?",
  actor: "entry ->> '$.actor' = ?",
  invoiceId: "entry ->> '$.invoiceId' = ?",
  atFrom: "entry ->> '$.at' >= ?",
  atBefore: "entry ->> '$.at' < ?",
} as const

/** A filter that ends so matches all that begin with it: `invoice.`, `user:`. */
const prefixEnds: Partial<Record<keyof typeof filters, string>> = { action: '.', actor: ':' }

function toConditions(organizationId: string, request: ListAuditRequest) {
  const conditions = ['organization_id = ?']
  const values = [organizationId]
  for (const name of Object.keys(filters) as (keyof typeof filters)[]) {
    const wanted = request[name]
    if (wanted === undefined) continue
    const isPrefix = wanted.endsWith(prefixEnds[name] ?? '\0')
    conditions.push(isPrefix ? `substr(entry ->> '$.${name}', 1, ?) = ?` : filters[name])
    values.push(...(isPrefix ? [String(wanted.length), wanted] : [wanted]))
  }
  return { conditions: conditions.join(' AND '), values }
}

function parseEntries(rows: unknown[]): AuditEntry[] {
  return (rows as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as AuditEntry)
}
