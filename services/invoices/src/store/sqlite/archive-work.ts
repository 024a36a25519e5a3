import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import type { ArchiveOutcome } from './commands'
import type { ArchiveDeadLetter, ArchiveWork, DueWork, InvoiceStore } from '../store'

type Row<T> = Omit<T, 'position'> & { position: number }

type ArchiveReads = Pick<InvoiceStore, 'takeArchiveWork' | 'listArchiveDeadLetters'>

// One index seek per organization: 10,000 artefacts of one that wait for a retry cost nothing.
const nextOrganization = `
  WITH RECURSIVE organization (id) AS (
    SELECT min(organization_id) FROM archive_work WHERE organization_id > ?1
    UNION ALL
    SELECT (SELECT min(organization_id) FROM archive_work WHERE organization_id > organization.id)
    FROM organization WHERE organization.id IS NOT NULL
  )
  SELECT id FROM organization
  WHERE id IS NOT NULL AND id NOT IN (SELECT value FROM json_each(?2)) AND (
    EXISTS (SELECT 1 FROM archive_work WHERE organization_id = organization.id
      AND next_attempt_at <= ?3 AND position NOT IN (SELECT value FROM json_each(?5)))
    OR EXISTS (SELECT 1 FROM archive_work WHERE organization_id = organization.id
      AND next_attempt_at > ?4 AND position NOT IN (SELECT value FROM json_each(?5))))
  LIMIT 1`

const dueOfOrganization = `
  SELECT position, organization_id AS organizationId, invoice_id AS invoiceId, part, attempts
  FROM archive_work
  WHERE organization_id = ?1 AND (next_attempt_at <= ?2 OR next_attempt_at > ?3)
    AND position NOT IN (SELECT value FROM json_each(?4))
  ORDER BY next_attempt_at, position LIMIT ?5`

export function archiveReads(reader: Sqlite): ArchiveReads {
  const organizationAfter = reader.prepare(nextOrganization)
  const dueOf = reader.prepare(dueOfOrganization)
  const deadLetters = reader.prepare(
    `SELECT position, organization_id AS organizationId, invoice_id AS invoiceId, part, attempts,
       at, error
     FROM archive_dead_letter WHERE position > ? ORDER BY position LIMIT ?`,
  )

  const take = ({ after, except, underway, now, horizon, count }: DueWork): ArchiveWork[] => {
    const held = JSON.stringify(underway.map(Number))
    const organization = (from: string) => {
      const found = organizationAfter.get([from, JSON.stringify(except), now, horizon, held])
      return (found as { id: string } | undefined)?.id
    }
    const id = organization(after) ?? organization('')
    if (id === undefined) return []
    return toWork(dueOf.all([id, now, horizon, held, count]) as Row<ArchiveWork>[])
  }

  return {
    // A single process has the file, so no lease is needed.
    takeArchiveWork: (due) => orUnavailable('The invoice store', () => take(due)),
    listArchiveDeadLetters: (after, count) =>
      orUnavailable('The invoice store', () =>
        toWork(deadLetters.all([Number(after ?? 0), count]) as Row<ArchiveDeadLetter>[]),
      ),
  }
}

function toWork<T extends { position: string }>(rows: Row<T>[]): T[] {
  return rows.map((row) => ({ ...row, position: String(row.position) }) as unknown as T)
}

export function archiveWriter(database: Sqlite): (outcome: ArchiveOutcome) => boolean {
  const deleteXml = database.prepare('DELETE FROM signed_xml WHERE invoice_id = ?')
  const deleteWork = database.prepare('DELETE FROM archive_work WHERE position = ?')
  const postpone = database.prepare(
    'UPDATE archive_work SET attempts = ?, next_attempt_at = ? WHERE position = ?',
  )
  const insertLetter = database.prepare(
    `INSERT INTO archive_dead_letter
       (position, organization_id, invoice_id, part, attempts, at, error)
     SELECT position, organization_id, invoice_id, part, ?, ?, ?
     FROM archive_work WHERE position = ?`,
  )
  const deleteLetter = database.prepare('DELETE FROM archive_dead_letter WHERE position = ?')
  const revive = database.prepare(
    `INSERT INTO archive_work (position, organization_id, invoice_id, part)
     SELECT position, organization_id, invoice_id, part
     FROM archive_dead_letter WHERE position = ?`,
  )

  return (outcome) => {
    const position = Number(outcome.work.position)
    switch (outcome.kind) {
      case 'finish-archive-work':
        if (outcome.work.part === 'signed-xml') deleteXml.run([outcome.work.invoiceId])
        return deleteWork.run([position]).changes > 0
      case 'postpone-archive-work':
        return postpone.run([outcome.attempts, outcome.nextAttemptAt, position]).changes > 0
      case 'bury-archive-work':
        insertLetter.run([outcome.attempts, outcome.at, outcome.error, position])
        return deleteWork.run([position]).changes > 0
      case 'revive-archive-work':
        revive.run([position])
        return deleteLetter.run([position]).changes > 0
    }
  }
}
