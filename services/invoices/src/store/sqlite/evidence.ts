import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import { nameLevel, type SignatureLevelName } from '@einvoicing/domain/signature-level'
import type { InvoiceKey } from './commands'
import { workTables } from './work-tables'
import {
  queueByPart,
  type ArchivedEvidence,
  type QueuedWork,
  type EvidencePart,
  type InvoiceStore,
  type SignatureEvidence,
  type SignedState,
  type TimeStampEvidence,
} from '../store'

type EvidenceReads = Pick<InvoiceStore, 'readEvidence' | 'listSigned' | 'listRenewals'>

interface EvidenceRow {
  level: SignatureLevelName
  timeStampedAt: string
  token: Buffer
  artefact: number | null
  renewBy: string | null
}

interface SignedRow extends Pick<SignedState, 'organizationId' | 'invoiceId'> {
  level: SignatureLevelName | null
  artefact: number | null
  renewBy: string | null
  isPending: number
}

const isUnderWay = (id: string) => {
  const tables = ['signed_xml', workTables['time-stamps'], workTables.evidence]
  const exists = tables.map(
    (table) => `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.invoice_id = ${id})`,
  )
  return `(${exists.join(' OR ')})`
}

export const selectRenewals = `
  SELECT invoice_id AS invoiceId, organization_id AS organizationId, level, artefact,
    renew_by AS renewBy, 0 AS isPending
  FROM evidence
  WHERE renew_by <= ? AND queued = 0 AND NOT ${isUnderWay('evidence.invoice_id')}
  ORDER BY renew_by LIMIT ?`

export function evidenceReads(reader: Sqlite): EvidenceReads {
  const byId = reader.prepare(
    `SELECT level, time_stamped_at AS timeStampedAt, token, artefact, renew_by AS renewBy
     FROM evidence WHERE invoice_id = ? AND organization_id = ?`,
  )
  const signed = reader.prepare(
    `SELECT id AS invoiceId, invoice.organization_id AS organizationId, level, artefact,
       renew_by AS renewBy, ${isUnderWay('id')} AS isPending
     FROM invoice LEFT JOIN evidence ON evidence.invoice_id = id
     WHERE id > ? AND status NOT IN ('PENDING', 'CANCELLED') ORDER BY id LIMIT ?`,
  )
  const renewals = reader.prepare(selectRenewals)
  const read = <T>(work: () => T) => orUnavailable('The invoice store', work)
  return {
    readEvidence: (organizationId, invoiceId) =>
      read(() => {
        const row = byId.get([invoiceId, organizationId]) as EvidenceRow | undefined
        return row && toEvidence(row)
      }),
    listSigned: (after, count) =>
      read(() => (signed.all([after ?? '', count]) as SignedRow[]).map(toState)),
    listRenewals: (until, count) =>
      read(() => (renewals.all([until, count]) as SignedRow[]).map(toState)),
  }
}

function toEvidence(row: EvidenceRow): SignatureEvidence {
  const { timeStampedAt, token, artefact, renewBy } = row
  if (artefact === null) return { level: 'XAdES-B-T', timeStampedAt, token }
  const level = row.level as ArchivedEvidence['level']
  return { level, timeStampedAt, artefact, ...(renewBy !== null && { renewBy }) }
}

function toState({ level, artefact, renewBy, isPending, ...row }: SignedRow): SignedState {
  return {
    ...row,
    level: level ?? nameLevel('B'),
    ...(artefact !== null && { artefact }),
    ...(renewBy !== null && { renewBy }),
    isPending: isPending === 1,
  }
}

export function evidenceRequests(database: Sqlite) {
  const prepare = (part: EvidencePart) =>
    database.prepare(
      `INSERT INTO ${workTables[queueByPart[part]]} (organization_id, invoice_id, part)
       SELECT organization_id, id, '${part}' FROM invoice
       WHERE id = ?2 AND organization_id = ?1 AND NOT ${isUnderWay('?2')}`,
    )
  const inserts = { 'time-stamp': prepare('time-stamp'), evidence: prepare('evidence') }
  return (part: EvidencePart, invoices: readonly InvoiceKey[]): void => {
    for (const { organizationId, invoiceId } of invoices) {
      inserts[part].run([organizationId, invoiceId])
    }
  }
}

export function evidenceWriter(database: Sqlite) {
  const insertWaiting = database.prepare(
    `INSERT INTO ${workTables.evidence} (organization_id, invoice_id, part, next_attempt_at)
     VALUES (?, ?, 'evidence', ?) ON CONFLICT DO NOTHING`,
  )
  const insertStamp = database.prepare(
    `INSERT INTO evidence (invoice_id, organization_id, level, time_stamped_at, token)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  // The artefact contains the time stamp too.
  const upsertArchived = database.prepare(
    `INSERT INTO evidence
       (invoice_id, organization_id, level, time_stamped_at, token, artefact, renew_by)
     VALUES (?1, ?2, ?3, ?4, x'', ?5, ?6)
     ON CONFLICT DO UPDATE SET level = ?3, time_stamped_at = ?4, token = x'', artefact = ?5,
       renew_by = ?6
     WHERE artefact IS NULL OR artefact <= ?5`,
  )
  return {
    queueEvidence: ({ organizationId, invoiceId }: QueuedWork, due: string) =>
      insertWaiting.run([organizationId, invoiceId, due]),
    keepTimeStamp({ organizationId, invoiceId }: QueuedWork, evidence: TimeStampEvidence) {
      const { level, timeStampedAt, token } = evidence
      insertStamp.run([invoiceId, organizationId, level, timeStampedAt, Buffer.from(token)])
    },
    keepArchived({ organizationId, invoiceId }: QueuedWork, evidence: ArchivedEvidence) {
      const { level, timeStampedAt, artefact, renewBy = null } = evidence
      upsertArchived.run([invoiceId, organizationId, level, timeStampedAt, artefact, renewBy])
    },
  }
}
