import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import type { InvoiceKey, WorkOutcome } from './commands'
import { evidenceWriter } from './evidence'
import { workTables, type WorkTable } from './work-tables'
import {
  queueByPart,
  type ArchiveDeadLetter,
  type QueuedWork,
  type DueWork,
  type InvoiceStore,
  type Queue,
  type WorkPart,
} from '../store'

type Row<T> = Omit<T, 'position'> & { position: number }

type QueuedWorkReads = Pick<InvoiceStore, 'takeWork' | 'listArchiveDeadLetters'>

type Span = 'next_attempt_at <= ?1' | 'next_attempt_at > ?1'

const isNotBusy = 'NOT IN (SELECT value FROM json_each(?3))'
const isNotUnderWay = 'position NOT IN (SELECT value FROM json_each(?4))'

const soonestMax = 100

// Few organizations of many may have due work: the walk would step over all others.
const soonest = (table: WorkTable, span: Span) => `
  SELECT count(*) AS looked, min(organization_id) FILTER (WHERE isFree) AS first,
    min(organization_id) FILTER (WHERE isFree AND organization_id > ?2) AS next
  FROM (SELECT organization_id, organization_id ${isNotBusy} AND ${isNotUnderWay} AS isFree
    FROM ${table} WHERE ${span} ORDER BY next_attempt_at LIMIT ${soonestMax})`

// One index seek per organization: 10,000 waiting artefacts of one cost nothing.
const walk = (table: WorkTable, span: Span) => `
  WITH RECURSIVE organization (id) AS (
    SELECT min(organization_id) FROM ${table} WHERE organization_id > ?2
    UNION ALL
    SELECT (SELECT min(organization_id) FROM ${table} WHERE organization_id > organization.id)
    FROM organization WHERE organization.id IS NOT NULL
  )
  SELECT id FROM organization
  WHERE id IS NOT NULL AND id ${isNotBusy} AND EXISTS (SELECT 1 FROM ${table}
    WHERE organization_id = organization.id AND ${span} AND ${isNotUnderWay})
  LIMIT 1`

const workInSpan = (table: WorkTable, span: Span) => `
  SELECT position, organization_id AS organizationId, invoice_id AS invoiceId, part, attempts
  FROM ${table}
  WHERE organization_id = ?2 AND ${span} AND ${isNotUnderWay}
  ORDER BY next_attempt_at, position LIMIT ?5`

function prepareAll<T>(prepare: (table: WorkTable) => T): Record<Queue, T> {
  return {
    archive: prepare(workTables.archive),
    'time-stamps': prepare(workTables['time-stamps']),
    evidence: prepare(workTables.evidence),
  }
}

export function queuedWorkReads(reader: Sqlite): QueuedWorkReads {
  const queues = prepareAll((table) => ({
    takeDue: spanReader(reader, table, 'next_attempt_at <= ?1'),
    takeBeyond: spanReader(reader, table, 'next_attempt_at > ?1'),
  }))
  const deadLetters = reader.prepare(
    `SELECT position, organization_id AS organizationId, invoice_id AS invoiceId, part, attempts,
       at, error
     FROM archive_dead_letter WHERE position > ? ORDER BY position LIMIT ?`,
  )

  const take = (due: DueWork): QueuedWork[] => {
    const { takeDue, takeBeyond } = queues[due.queue]
    const taken = takeDue(due.now, due)
    if (taken.length > 0 || due.horizon === undefined) return taken
    return takeBeyond(due.horizon, due)
  }

  return {
    // A single process has the file, so no lease is needed.
    takeWork: (due) => orUnavailable('The invoice store', () => take(due)),
    listArchiveDeadLetters: (after, count) =>
      orUnavailable('The invoice store', () =>
        toWork(deadLetters.all([Number(after ?? 0), count]) as Row<ArchiveDeadLetter>[]),
      ),
  }
}

type Turn = Pick<DueWork, 'after' | 'except' | 'underway' | 'count'>

/** Of the next organization with work on that side of the moment. */
function spanReader(reader: Sqlite, table: WorkTable, span: Span) {
  const readSoonest = reader.prepare(soonest(table, span))
  const readNext = reader.prepare(walk(table, span))
  const readWork = reader.prepare(workInSpan(table, span))
  return (moment: string, { after, except, underway, count }: Turn): QueuedWork[] => {
    const taken = [JSON.stringify(except), JSON.stringify(underway.map(Number))]
    const walkFrom = (from: string) =>
      (readNext.get([moment, from, ...taken]) as { id: string } | undefined)?.id
    const { looked, first, next } = readSoonest.get([moment, after, ...taken]) as Soonest
    const isAll = looked < soonestMax
    const id = isAll ? (next ?? first) : (walkFrom(after) ?? (after && walkFrom('')))
    if (!id) return []
    return toWork(readWork.all([moment, id, ...taken, count]) as Row<QueuedWork>[])
  }
}

interface Soonest {
  looked: number
  first: string | null
  next: string | null
}

function toWork<T extends { position: string }>(rows: Row<T>[]): T[] {
  return rows.map((row) => ({ ...row, position: String(row.position) }) as unknown as T)
}

export function workWriter(database: Sqlite): (part: WorkPart, key: InvoiceKey) => void {
  const inserts = prepareAll((table) =>
    database.prepare(
      `INSERT INTO ${table} (organization_id, invoice_id, part) VALUES (?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ),
  )
  return (part, { organizationId, invoiceId }) => {
    inserts[queueByPart[part]].run([organizationId, invoiceId, part])
  }
}

export function outcomeWriter(database: Sqlite): (outcome: WorkOutcome) => boolean {
  const deleteXml = database.prepare('DELETE FROM signed_xml WHERE invoice_id = ?')
  const prepare = (table: WorkTable) => ({
    remove: database.prepare(`DELETE FROM ${table} WHERE position = ?`),
    postpone: database.prepare(
      `UPDATE ${table} SET attempts = ?, next_attempt_at = ? WHERE position = ?`,
    ),
  })
  const queues = prepareAll(prepare)
  const settleEvidence = evidenceWriter(database)
  const insertWork = workWriter(database)
  const settleLetter = deadLetterWriter(database)

  return (outcome) => {
    const { work } = outcome
    const position = Number(work.position)
    const { remove, postpone } = queues[queueByPart[work.part]]
    switch (outcome.kind) {
      case 'finish-work': {
        const isFinished = remove.run([position]).changes > 0
        const isXml = work.part === 'signed-xml'
        if (isXml) deleteXml.run([work.invoiceId])
        const next = isXml ? 'time-stamp' : outcome.next
        if (isFinished && next) insertWork(next, work)
        return isFinished
      }
      case 'keep-time-stamp':
        if (remove.run([position]).changes === 0) return false
        settleEvidence.keepTimeStamp(work, outcome.evidence)
        if (outcome.evidenceDue !== undefined)
          settleEvidence.queueEvidence(work, outcome.evidenceDue)
        return true
      case 'keep-evidence':
        if (remove.run([position]).changes === 0) return false
        settleEvidence.keepArchived(work, outcome.evidence)
        return true
      case 'postpone-work':
        return postpone.run([outcome.attempts, outcome.nextAttemptAt, position]).changes > 0
      case 'bury-archive-work':
        settleLetter.bury(outcome)
        return remove.run([position]).changes > 0
      case 'revive-archive-work':
        return settleLetter.revive(position)
    }
  }
}

function deadLetterWriter(database: Sqlite) {
  const insert = database.prepare(
    `INSERT INTO archive_dead_letter
       (position, organization_id, invoice_id, part, attempts, at, error)
     SELECT position, organization_id, invoice_id, part, ?, ?, ?
     FROM archive_work WHERE position = ?`,
  )
  const remove = database.prepare('DELETE FROM archive_dead_letter WHERE position = ?')
  const revive = database.prepare(
    `INSERT INTO archive_work (position, organization_id, invoice_id, part)
     SELECT position, organization_id, invoice_id, part
     FROM archive_dead_letter WHERE position = ?`,
  )
  return {
    bury({ work, attempts, at, error }: Extract<WorkOutcome, { kind: 'bury-archive-work' }>) {
      insert.run([attempts, at, error, Number(work.position)])
    },
    revive(position: number): boolean {
      revive.run([position])
      return remove.run([position]).changes > 0
    },
  }
}
