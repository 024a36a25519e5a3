/** Fills list rows from invoices of an older version, in steps: a killed process continues. */

import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { listRowSelect, precedingInsert, referenceColumn, typeColumn } from './list-row'

const rowsAtOnce = 10_000
const rowsBetweenReports = 100_000

export interface ListProgress {
  step: 'references' | 'rows' | 'indexes' | 'counts'
  done: number
  of: number
}

interface State {
  folded_to: number
  ready: number
  unreferenced_to: number
}

// The status is last: creations do not change it, and counts by status read no row.
export const listIndexes = {
  list_by_status: '(organization, status, id)',
  list_by_creation: '(organization, created_at, id, status)',
  list_by_change: '(organization, updated_at, id, status)',
  list_by_number: '(organization, invoice_number, id, status)',
  list_by_invoice_date: '(organization, invoice_date, id, status)',
  list_by_due_date: '(organization, due_date, id, status)',
  list_by_buyer_name: '(organization, buyer_name, id, status)',
  list_by_amount_ht: '(organization, amount_ht, id, status)',
  list_by_amount_vat: '(organization, amount_vat, id, status)',
  list_by_amount_ttc: '(organization, amount_ttc, id, status)',
  list_by_buyer: `(organization, buyer_ice, created_at, id) WHERE buyer_ice <> ''`,
}

export function prepareLists(database: Sqlite, report: (progress: ListProgress) => void): void {
  const state = database
    .prepare('SELECT folded_to, ready, unreferenced_to FROM list_state')
    .get([]) as State
  fillReferences(database, state.unreferenced_to, report)
  if (state.ready === 1) return
  const { last } = database
    .prepare('SELECT coalesce(max(rowid), 0) AS last FROM invoice')
    .get([]) as {
    last: number
  }
  fillRows(database, { from: state.folded_to, last, report })
  Object.entries(listIndexes).forEach(([name, columns], done, { length: of }) => {
    if (last > rowsBetweenReports) report({ step: 'indexes', done, of })
    database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON list_row ${columns}`)
  })
  if (last > rowsBetweenReports) report({ step: 'counts', done: 0, of: 1 })
  inTransaction(database, () =>
    database.exec(
      `DELETE FROM list_count;
       INSERT INTO list_count
         SELECT organization, status, count(*), count(*) FROM list_row GROUP BY 1, 2;
       UPDATE list_state SET ready = 1`,
    ),
  )
}

/** From the last row to the first. */
function fillReferences(
  database: Sqlite,
  of: number,
  report: (progress: ListProgress) => void,
): void {
  const fill = database.prepare(
    `UPDATE list_row SET reference = fresh.reference, type = fresh.type
     FROM (SELECT rowid AS row, ${referenceColumn} AS reference, ${typeColumn} AS type FROM invoice
           WHERE rowid > ? AND rowid <= ?) AS fresh
     WHERE list_row.row = fresh.row AND (fresh.reference <> '' OR fresh.type <> 0)`,
  )
  const fillPreceding = database.prepare(
    `${precedingInsert} invoice.rowid > ? AND invoice.rowid <= ?`,
  )
  const advance = database.prepare('UPDATE list_state SET unreferenced_to = ?')
  for (let until = of; until > 0; until -= rowsAtOnce) {
    const after = Math.max(0, until - rowsAtOnce)
    inTransaction(database, () => {
      fill.run([after, until])
      fillPreceding.run([after, until])
      advance.run([after])
    })
    if (isReported(of - until, of - after)) report({ step: 'references', done: of - after, of })
  }
}

interface Filling {
  from: number
  last: number
  report: (progress: ListProgress) => void
}

function fillRows(database: Sqlite, { from, last, report }: Filling): void {
  const addOrganizations = database.prepare(
    `INSERT OR IGNORE INTO list_organization (id)
     SELECT DISTINCT organization_id FROM invoice WHERE rowid > ? AND rowid <= ?`,
  )
  const addRows = database.prepare(
    `INSERT INTO list_row ${listRowSelect} WHERE invoice.rowid > ? AND invoice.rowid <= ?`,
  )
  const addPreceding = database.prepare(
    `${precedingInsert} invoice.rowid > ? AND invoice.rowid <= ?`,
  )
  const advance = database.prepare('UPDATE list_state SET folded_to = ?')
  for (let after = from; after < last; after += rowsAtOnce) {
    const until = Math.min(last, after + rowsAtOnce)
    inTransaction(database, () => {
      addOrganizations.run([after, until])
      addRows.run([after, until])
      addPreceding.run([after, until])
      advance.run([until])
    })
    if (isReported(after, until)) report({ step: 'rows', done: until, of: last })
  }
}

function isReported(from: number, to: number): boolean {
  return Math.floor(from / rowsBetweenReports) < Math.floor(to / rowsBetweenReports)
}
