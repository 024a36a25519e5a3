import type { Sqlite } from '@einvoicing/stores/sqlite'
import { zeroCounts } from '../counts'
import { findStatusName } from './list-row'
import type { OrganizationOverview } from '../store'

// Exact: SQLite computes in integer milliseconds; julianday is their quotient.
const ms = (moment: string) => `round(julianday(${moment}) * 86400000)`

export function overviewStatements(
  reader: Sqlite,
): (organizationId: string, since: string) => OrganizationOverview {
  const statuses = reader.prepare(
    `SELECT status, count FROM list_count
     WHERE organization = (SELECT key FROM list_organization WHERE id = ?)`,
  )
  const hours = reader.prepare(
    `SELECT substr(created_at, 1, 13) AS hour, content ->> '$.currency' AS currency,
       sum(NOT isCreditNote) AS invoices, sum(isCreditNote) AS creditNotes,
       total(CASE WHEN status IN ('PENDING', 'CANCELLED') THEN 0
                  WHEN isCreditNote THEN -amount_ttc ELSE amount_ttc END) AS amountTtc
     FROM (SELECT *, coalesce(content ->> '$.type', '') = 'CREDIT_NOTE' AS isCreditNote FROM invoice)
     WHERE organization_id = ? AND created_at >= ? GROUP BY 1, 2`,
  )
  const decided = `FROM invoice INDEXED BY invoice_by_change
     WHERE organization_id = ? AND updated_at >= ?`
  // A credit note changes the invoice after its decision.
  const decidedAt = "coalesce(content ->> '$.credits.decidedAt', updated_at)"
  const durations = reader.prepare(
    `SELECT max(0, ${ms(decidedAt)} - ${ms("content ->> '$.signedAt'")}) AS ms,
       count(*) AS count
     ${decided} AND status IN ('ACCEPTED', 'REJECTED') AND content ->> '$.signedAt' IS NOT NULL
     GROUP BY 1`,
  )
  const rejections = reader.prepare(
    `SELECT coalesce(content ->> '$.dgiErrorCode', '') AS errorCode, count(*) AS count
     ${decided} AND status = 'REJECTED' GROUP BY 1`,
  )

  return (organizationId, since) => {
    const counts = zeroCounts()
    for (const row of statuses.all([organizationId])) {
      const { status, count } = row as { status: number; count: number }
      const name = findStatusName(status)
      if (name) counts[name] = count
    }
    const span = [organizationId, since]
    return {
      statuses: counts,
      hours: hours.all(span) as OrganizationOverview['hours'],
      durations: durations.all(span) as OrganizationOverview['durations'],
      rejections: rejections.all(span) as OrganizationOverview['rejections'],
    }
  }
}
