/** A decision may lie in the future, so that a delay needs no timer and survives a crash. */

import {
  inTransaction,
  isUniqueViolation,
  openSqlite,
  type Sqlite,
} from '@einvoicing/stores/sqlite'
import { takeCredit, type Bases, type KnownBases } from './credits'

// The document is last, so that counting reads past no blobs; it is deleted once decided.
const migrations = [
  `CREATE TABLE submissions (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     submission_id TEXT NOT NULL UNIQUE,
     idempotency_key TEXT NOT NULL UNIQUE,
     document_sha256 TEXT NOT NULL,
     received_at INTEGER NOT NULL,
     status TEXT CHECK (status IN ('ACCEPTED', 'REJECTED', 'WITHHELD')),
     decided_at INTEGER,
     issuer_ice TEXT,
     invoice_number TEXT,
     reference TEXT UNIQUE,
     qr_code TEXT,
     qr_payload TEXT,
     error_code TEXT,
     error_message TEXT,
     document BLOB
   );
   CREATE UNIQUE INDEX reported_numbers ON submissions (issuer_ice, invoice_number)
     WHERE status IN ('ACCEPTED', 'WITHHELD');
   CREATE INDEX undecided ON submissions (sequence) WHERE status IS NULL;
   CREATE TABLE first_faults (idempotency_key TEXT PRIMARY KEY) WITHOUT ROWID`,
  // JSON; null when accepted before this column.
  `ALTER TABLE submissions ADD COLUMN bases TEXT;
   CREATE INDEX rejected_numbers ON submissions (issuer_ice, invoice_number)
     WHERE status = 'REJECTED' AND invoice_number IS NOT NULL`,
]

export interface Arrival {
  submissionId: string
  idempotencyKey: string
  /** Lower-case hexadecimal. */
  documentSha256: string
  document: Buffer
  receivedAt: Date
}

export interface Submission {
  submissionId: string
  idempotencyKey: string
  documentSha256: string
  receivedAt: Date
  /** `undefined` until it is announced. */
  decision: Decision | undefined
}

export type Decision = { decidedAt: Date } & (
  | { status: 'ACCEPTED'; reference: string; qrCode: string; qrPayload: string }
  | { status: 'REJECTED'; errorCode: string; errorMessage: string }
)

export interface Undecided {
  sequence: number
  document: Buffer
  receivedAt: Date
}

/** Unique among submissions that are not rejected. */
export interface ReportedNumber {
  issuerIce: string
  number: string
}

export interface ReportedInvoice extends ReportedNumber {
  typeCode: string
  preceding: readonly string[]
  bases: Bases
}

export type Acceptance =
  | 'accepted'
  | {
      code: 'DUPLICATE_INVOICE' | 'INVALID_REFERENCE' | 'CREDIT_EXCEEDS_INVOICE'
      detail?: string
    }

export interface Totals {
  total: number
  accepted: number
  rejected: number
  processing: number
}

export class SubmissionStore {
  private readonly database: Sqlite
  private readonly prepared = new Map<string, ReturnType<Sqlite['prepare']>>()
  /** Stored: counting at each arrival would be slow. */
  private undecided: number

  /** Every change is on disk before its method returns. */
  constructor(file: string) {
    this.database = openSqlite(file, migrations)
    const row = this.prepare(
      'SELECT COUNT(*) AS undecided FROM submissions WHERE status IS NULL',
    ).get([]) as { undecided: number }
    this.undecided = row.undecided
  }

  /** Returns the earlier submission when its key was used before. */
  add(arrival: Arrival): Submission {
    const { changes } = this.prepare(
      `INSERT INTO submissions
           (submission_id, idempotency_key, document_sha256, received_at, document)
         VALUES (?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
    ).run([
      arrival.submissionId,
      arrival.idempotencyKey,
      arrival.documentSha256,
      +arrival.receivedAt,
      arrival.document,
    ])
    this.undecided += changes
    const stored = this.findByKey(arrival.idempotencyKey, arrival.receivedAt)
    if (!stored) throw new Error(`submission ${arrival.submissionId} was not stored`)
    return stored
  }

  findById(submissionId: string, now: Date): Submission | undefined {
    return this.find('submission_id', submissionId, now)
  }

  findByKey(idempotencyKey: string, now: Date): Submission | undefined {
    return this.find('idempotency_key', idempotencyKey, now)
  }

  private find(
    column: 'submission_id' | 'idempotency_key',
    value: string,
    now: Date,
  ): Submission | undefined {
    const row = this.prepare(
      `SELECT submission_id, idempotency_key, document_sha256, received_at, status, decided_at,
                reference, qr_code, qr_payload, error_code, error_message
         FROM submissions WHERE ${column} = ?`,
    ).get([value]) as SubmissionRow | undefined
    return row && readSubmission(row, now)
  }

  listUndecided(after: number, count: number): Undecided[] {
    const rows = this.prepare(
      `SELECT sequence, document, received_at FROM submissions
         WHERE status IS NULL AND sequence > ? ORDER BY sequence LIMIT ?`,
    ).all([after, count]) as { sequence: number; document: ArrayBuffer; received_at: number }[]
    return rows.map(({ sequence, document, received_at }) => {
      return { sequence, document: Buffer.from(document), receivedAt: new Date(received_at) }
    })
  }

  findQrPayload(sequence: number): string | undefined {
    const row = this.prepare(
      `SELECT qr_payload FROM submissions WHERE sequence = ? AND status = 'ACCEPTED'`,
    ).get([sequence]) as { qr_payload: string } | undefined
    return row?.qr_payload
  }

  /** Preparing costs as much as running. */
  private prepare(sql: string): ReturnType<Sqlite['prepare']> {
    const statement = this.prepared.get(sql) ?? this.database.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }

  undecidedCount(): number {
    return this.undecided
  }

  /** Changes nothing unless it is accepted. */
  accept(
    sequence: number,
    invoice: ReportedInvoice,
    decision: Extract<Decision, { status: 'ACCEPTED' }>,
  ): Acceptance {
    if (invoice.typeCode !== '381') return this.acceptNumber(sequence, invoice, decision)
    return inTransaction(this.database, () => {
      // Each once: else a second reference would find, and write, what the first one did not take.
      const preceding = [...new Set(invoice.preceding)]
      const known = preceding.map((number) => this.findKnown(invoice.issuerIce, number))
      const rejected = preceding.find((_, index) => known[index] === 'rejected')
      if (rejected !== undefined) return { code: 'INVALID_REFERENCE', detail: rejected }
      const originals = known.filter((each) => each !== 'rejected')
      const taken = takeCredit(
        invoice.bases,
        originals.map((original) => original?.bases ?? null),
      )
      if ('excess' in taken) return { code: 'CREDIT_EXCEEDS_INVOICE', detail: taken.excess }
      const outcome = this.acceptNumber(sequence, invoice, decision)
      if (outcome !== 'accepted') return outcome
      originals.forEach((original, index) => {
        const bases = taken.left[index]
        if (!original || !bases) return
        this.prepare('UPDATE submissions SET bases = ? WHERE sequence = ?').run([
          JSON.stringify(bases),
          original.sequence,
        ])
      })
      return outcome
    })
  }

  /** `undefined` when the platform does not know the number. */
  private findKnown(
    issuerIce: string,
    number: string,
  ): { sequence: number; bases: KnownBases } | 'rejected' | undefined {
    const reported = this.prepare(
      `SELECT sequence, bases FROM submissions
         WHERE issuer_ice = ? AND invoice_number = ? AND status IN ('ACCEPTED', 'WITHHELD')`,
    ).get([issuerIce, number]) as { sequence: number; bases: string | null } | undefined
    if (reported) {
      const { sequence, bases } = reported
      return { sequence, bases: bases === null ? null : (JSON.parse(bases) as Bases) }
    }
    const rejected = this.prepare(
      `SELECT 1 FROM submissions WHERE issuer_ice = ? AND invoice_number = ?
         AND status = 'REJECTED' AND invoice_number IS NOT NULL LIMIT 1`,
    ).get([issuerIce, number])
    return rejected ? 'rejected' : undefined
  }

  private acceptNumber(
    sequence: number,
    invoice: ReportedInvoice,
    decision: Extract<Decision, { status: 'ACCEPTED' }>,
  ): Acceptance {
    const { reference, qrCode, qrPayload, decidedAt } = decision
    const { issuerIce, number, bases, typeCode } = invoice
    const creditable = typeCode === '381' ? '{}' : JSON.stringify(bases)
    const isClaimed = this.claim(invoice, () =>
      this.prepare(
        `UPDATE submissions SET status = 'ACCEPTED', document = NULL, decided_at = ?,
             issuer_ice = ?, invoice_number = ?, reference = ?, qr_code = ?, qr_payload = ?,
             bases = ?
           WHERE sequence = ? AND status IS NULL`,
      ).run([
        +decidedAt,
        issuerIce,
        number,
        ...[reference, qrCode, qrPayload, creditable],
        sequence,
      ]),
    )
    return isClaimed ? 'accepted' : { code: 'DUPLICATE_INVOICE' }
  }

  /** Takes the number and never announces anything; `false` when it is taken. */
  withhold(sequence: number, number: ReportedNumber): boolean {
    return this.claim(number, () =>
      this.prepare(
        `UPDATE submissions SET status = 'WITHHELD', document = NULL,
             issuer_ice = ?, invoice_number = ?
           WHERE sequence = ? AND status IS NULL`,
      ).run([number.issuerIce, number.number, sequence]),
    )
  }

  reject(
    sequence: number,
    {
      reported,
      ...decision
    }: Extract<Decision, { status: 'REJECTED' }> & { reported?: ReportedNumber | undefined },
  ): void {
    const { changes } = this.prepare(
      `UPDATE submissions SET status = 'REJECTED', document = NULL, decided_at = ?,
           error_code = ?, error_message = ?, issuer_ice = ?, invoice_number = ?
         WHERE sequence = ? AND status IS NULL`,
    ).run([
      +decision.decidedAt,
      decision.errorCode,
      decision.errorMessage,
      reported?.issuerIce ?? null,
      reported?.number ?? null,
      sequence,
    ])
    this.undecided -= changes
  }

  private claim(number: ReportedNumber, update: () => { changes: number }): boolean {
    try {
      this.undecided -= update().changes
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw new Error(`could not record ${number.issuerIce} ${number.number}`, { cause: error })
    }
  }

  totals(now: Date): Totals {
    const row = this.prepare(
      `SELECT COUNT(*) AS total,
                COALESCE(SUM(status = 'ACCEPTED' AND decided_at <= ?1), 0) AS accepted,
                COALESCE(SUM(status = 'REJECTED' AND decided_at <= ?1), 0) AS rejected
         FROM submissions`,
    ).get([+now]) as { total: number; accepted: number; rejected: number }
    const { total, accepted, rejected } = row
    return { total, accepted, rejected, processing: total - accepted - rejected }
  }

  /** `true` once for each key, for scripts that make the first attempt fail. */
  isFirstAttempt(idempotencyKey: string): boolean {
    const { changes } = this.prepare(
      'INSERT INTO first_faults VALUES (?) ON CONFLICT DO NOTHING',
    ).run([idempotencyKey])
    return changes === 1
  }

  close(): void {
    this.database.close()
  }
}

interface SubmissionRow {
  submission_id: string
  idempotency_key: string
  document_sha256: string
  received_at: number
  status: 'ACCEPTED' | 'REJECTED' | 'WITHHELD' | null
  decided_at: number | null
  reference: string | null
  qr_code: string | null
  qr_payload: string | null
  error_code: string | null
  error_message: string | null
}

function readSubmission(row: SubmissionRow, now: Date): Submission {
  return {
    submissionId: row.submission_id,
    idempotencyKey: row.idempotency_key,
    documentSha256: row.document_sha256,
    receivedAt: new Date(row.received_at),
    decision: readDecision(row, now),
  }
}

function readDecision(row: SubmissionRow, now: Date): Decision | undefined {
  if (row.decided_at === null || row.decided_at > +now) return undefined
  const decidedAt = new Date(row.decided_at)
  if (row.status === 'REJECTED') {
    return {
      status: 'REJECTED',
      decidedAt,
      errorCode: row.error_code ?? '',
      errorMessage: row.error_message ?? '',
    }
  }
  return {
    status: 'ACCEPTED',
    decidedAt,
    reference: row.reference ?? '',
    qrCode: row.qr_code ?? '',
    qrPayload: row.qr_payload ?? '',
  }
}
