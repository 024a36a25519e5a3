/** Counts at once and folds into list rows later: a dozen indexes slow a creation. */

import { randomInt } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import type { Sqlite } from '@einvoicing/stores/sqlite'
import type { Invoice, InvoiceStatus } from '@einvoicing/proto/invoice'
import type { ListChange, ListMessage } from './list-changes'
import { listColumns, listRowSelect, precedingInsert, statusCodes, type ListRow } from './list-row'

/** Receives changes while `isWanted[0]` is 1. */
export interface ListSubscriber {
  port: MessagePort
  isWanted: Int32Array
}

// Creations wait for a commit of this size. A changed row costs ten times a new one.
const newAtOnce = 128
const changedAtOnce = 24
const randomIntMax = 2 ** 48 - 1

interface State {
  folded_to: number
  sequence: number
}

export class ListWriter {
  private readonly statements: ReturnType<typeof prepare>
  private readonly keys = new Map<string, number>()
  private readonly subscribers: ListSubscriber[] = []
  private counts = new Map<string, number>()
  private commit: ListMessage | undefined

  constructor(database: Sqlite) {
    this.statements = prepare(database)
  }

  subscribe(subscriber: ListSubscriber): void {
    this.subscribers.push(subscriber)
  }

  close(): void {
    for (const { port } of this.subscribers) port.close()
  }

  created({ organizationId, status }: Pick<Invoice, 'organizationId' | 'status'>): void {
    this.count(organizationId, status, 1)
  }

  changed(
    from: InvoiceStatus,
    { id, organizationId, status }: Pick<Invoice, 'id' | 'organizationId' | 'status'>,
  ): void {
    this.count(organizationId, from, -1)
    this.count(organizationId, status, 1)
    this.statements.addStale.run([id])
  }

  fold(): boolean {
    // Not kept from the last one: another process may have folded since.
    const { folded_to: after, sequence } = this.statements.state.get([]) as State
    const stale = this.statements.stale.all([after, changedAtOnce]) as { row: number }[]
    const changed = JSON.stringify(stale.map(({ row }) => row))
    const before = new Map<number, ListRow>()
    if (stale.length > 0) {
      const rows = this.statements.rowsOf.all([changed]) as ListRow[]
      for (const row of rows) before.set(row.row, row)
      this.statements.update.run([changed])
      this.statements.removePreceding.run([changed])
      this.statements.insertPrecedingOf.run([changed])
    }
    const { last } = this.statements.last.get([]) as { last: number }
    const until = Math.min(last, after + newAtOnce)
    if (until > after) {
      this.statements.insert.run([after, until])
      this.statements.insertPreceding.run([after, until])
    }
    this.statements.removeStale.run([until, changed])
    const now = [
      ...(stale.length > 0 ? this.statements.rowsOf.all([changed]) : []),
      ...(until > after ? this.statements.rowsBetween.all([after, until]) : []),
    ] as ListRow[]
    this.noteFolded(
      now.map((row) => ({ before: before.get(row.row), after: row })),
      { until, sequence },
    )
    return last > until || stale.length === changedAtOnce
  }

  /** Call it after the last command of the transaction. */
  beforeCommit(): void {
    for (const [key, count] of this.counts) {
      const [organization, status] = key.split(' ')
      if (count !== 0) this.statements.count.run([Number(organization), Number(status), count])
    }
    if (this.commit) this.send(this.commit)
    this.forget()
  }

  undone(): void {
    // A rollback also removes keys assigned in it.
    this.keys.clear()
    this.forget()
  }

  private noteFolded(
    changes: ListChange[],
    { until, sequence }: { until: number; sequence: number },
  ): void {
    const counts = new Map<string, number>()
    for (const { before, after } of changes) {
      if (before) add(counts, before, -1)
      add(counts, after, 1)
    }
    for (const [key, count] of counts) {
      const [organization, status] = key.split(' ')
      if (count !== 0)
        this.statements.countFolded.run([Number(organization), Number(status), count])
    }
    if (changes.length === 0) return
    this.commit ??= { follows: sequence, sequence: randomInt(randomIntMax), changes: [] }
    this.commit.changes.push(...changes)
    this.statements.advance.run([until, this.commit.sequence])
  }

  private forget(): void {
    this.commit = undefined
    this.counts.clear()
  }

  private send(message: ListMessage): void {
    for (const { port, isWanted } of this.subscribers) {
      if (Atomics.load(isWanted, 0) === 1) port.postMessage(message)
    }
  }

  private count(organizationId: string, status: InvoiceStatus, count: number): void {
    const organization = this.organizationKey(organizationId)
    add(this.counts, { organization, status: statusCodes[status] ?? 0 }, count)
  }

  private organizationKey(id: string): number {
    const known = this.keys.get(id)
    if (known !== undefined) return known
    this.statements.addOrganization.run([id])
    const { key } = this.statements.organization.get([id]) as { key: number }
    this.keys.set(id, key)
    return key
  }
}

function add(
  counts: Map<string, number>,
  { organization, status }: Pick<ListRow, 'organization' | 'status'>,
  count: number,
): void {
  const key = `${organization} ${status}`
  counts.set(key, (counts.get(key) ?? 0) + count)
}

function prepare(database: Sqlite) {
  const columns = listColumns.join(', ')
  const set = listColumns.map((column) => `${column} = fresh.${column}`).slice(2)
  const upsert = (column: string) => `INSERT INTO list_count (organization, status, count, folded)
    VALUES (?, ?, ${column === 'count' ? '?, 0' : '0, ?'})
    ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column}`
  return {
    state: database.prepare('SELECT folded_to, sequence FROM list_state'),
    advance: database.prepare('UPDATE list_state SET folded_to = ?, sequence = ?'),
    addOrganization: database.prepare('INSERT OR IGNORE INTO list_organization (id) VALUES (?)'),
    organization: database.prepare('SELECT key FROM list_organization WHERE id = ?'),
    addStale: database.prepare(
      'INSERT OR IGNORE INTO list_stale SELECT rowid FROM invoice WHERE id = ?',
    ),
    stale: database.prepare('SELECT row FROM list_stale WHERE row <= ? ORDER BY row LIMIT ?'),
    // Folded later, an invoice appears in its state then.
    removeStale: database.prepare(
      `DELETE FROM list_stale WHERE row IN (SELECT value FROM json_each(?2))
         OR (row > (SELECT folded_to FROM list_state) AND row <= ?1)`,
    ),
    last: database.prepare('SELECT coalesce(max(rowid), 0) AS last FROM invoice'),
    rowsOf: database.prepare(
      `SELECT ${columns} FROM list_row WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row`,
    ),
    rowsBetween: database.prepare(`SELECT ${columns} FROM list_row WHERE row > ? AND row <= ?`),
    insert: database.prepare(
      `INSERT INTO list_row ${listRowSelect} WHERE invoice.rowid > ? AND invoice.rowid <= ?`,
    ),
    insertPreceding: database.prepare(
      `${precedingInsert} invoice.rowid > ? AND invoice.rowid <= ?`,
    ),
    insertPrecedingOf: database.prepare(
      `${precedingInsert} invoice.rowid IN (SELECT value FROM json_each(?))`,
    ),
    removePreceding: database.prepare(
      'DELETE FROM list_preceding WHERE row IN (SELECT value FROM json_each(?))',
    ),
    update: database.prepare(
      `UPDATE list_row SET ${set.join(', ')}
       FROM (${listRowSelect} WHERE invoice.rowid IN (SELECT value FROM json_each(?))) AS fresh
       WHERE list_row.row = fresh.row`,
    ),
    count: database.prepare(upsert('count')),
    countFolded: database.prepare(upsert('folded')),
  }
}
