import type { Sqlite } from '@einvoicing/stores/sqlite'
import { originalRejectedCode } from '@einvoicing/domain/creditable'
import { completeCounts } from '../counts'
import { backlogCountMax, type Backlog, type InvoiceStore } from '../store'

type BacklogStatements = {
  [F in 'backlogs' | 'countByStatus']: () => Awaited<ReturnType<InvoiceStore[F]>>
}

export function backlogStatements(reader: Sqlite): BacklogStatements {
  const outbox = reader.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ${backlogCountMax})) AS count,
       (SELECT fact ->> '$.time' FROM outbox ORDER BY position LIMIT 1) AS oldest`,
  )
  const archive = reader.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM archive_work LIMIT ${backlogCountMax})) AS count,
       (SELECT CASE part
          WHEN 'signed-xml' THEN coalesce(clearance_started_at, content ->> '$.signedAt')
          ELSE updated_at END
        FROM archive_work JOIN invoice ON invoice.id = invoice_id
        ORDER BY position LIMIT 1) AS oldest`,
  )
  const timeStamps = reader.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM evidence_work WHERE part = 'time-stamp'
         LIMIT ${backlogCountMax})) AS count,
       (SELECT since FROM evidence_work WHERE part = 'time-stamp'
        ORDER BY position LIMIT 1) AS oldest`,
  )
  const evidence = reader.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM long_term_work WHERE renews = 0
         LIMIT ${backlogCountMax})) AS count,
       (SELECT since FROM long_term_work WHERE renews = 0 ORDER BY position LIMIT 1) AS oldest`,
  )
  const renewals = reader.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM evidence WHERE renew_by <= ?1
         LIMIT ${backlogCountMax})) AS count,
       (SELECT min(renew_by) FROM evidence WHERE renew_by <= ?1) AS oldest`,
  )
  const deadLetters = reader.prepare(
    `SELECT count(*) AS count, min(at) AS oldest
     FROM (SELECT at FROM archive_dead_letter LIMIT ${backlogCountMax})`,
  )
  const notAccepted = reader.prepare(
    `SELECT status, count(*) AS count FROM invoice WHERE status <> 'ACCEPTED' GROUP BY status`,
  )
  const rejectedOriginals = reader.prepare(
    `SELECT count(*) AS count FROM invoice
     WHERE status = 'FAILED' AND content ->> '$.dgiErrorCode' = '${originalRejectedCode}'`,
  )
  // Nothing is ever deleted, so the last row's number is the count.
  const total = reader.prepare('SELECT coalesce(max(rowid), 0) AS total FROM invoice')

  return {
    backlogs: () => ({
      outbox: toBacklog(outbox.get([])),
      archive: toBacklog(archive.get([])),
      timeStamps: toBacklog(timeStamps.get([])),
      evidence: toBacklog(evidence.get([])),
      renewals: toBacklog(renewals.get([new Date().toISOString()])),
      archiveDeadLetters: toBacklog(deadLetters.get([])),
    }),
    countByStatus() {
      const counted = notAccepted.all([]) as Parameters<typeof completeCounts>[0]
      const { count } = rejectedOriginals.get([]) as { count: number }
      return completeCounts(counted, (total.get([]) as { total: number }).total, count)
    },
  }
}

function toBacklog(row: unknown): Backlog {
  const { count, oldest } = row as { count: number; oldest: string | null }
  return { count, oldest: oldest ?? undefined }
}
