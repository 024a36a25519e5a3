/**
 * The only writer, in a thread of its own so that no fsync blocks the event loop. Each message is a
 * batch in one transaction: everything in it is on disk when it is answered, or nothing.
 */

import { parentPort, workerData } from 'node:worker_threads'
import {
  inTransaction,
  isStorageFailure,
  isUniqueViolation,
  openSqlite,
  type Sqlite,
} from '@einvoicing/stores/sqlite'
import { archiveWriter } from './archive-work'
import type { Batch, BatchAnswer, Command, Outcome } from './commands'
import { ListWriter, type ListSubscriber } from './list-writer'
import { prepareLists } from './prepare-lists'
import { migrations } from './schema'
import type { Write } from '../store'

type InvoiceCommand = Extract<Command, { write: Write }>

function createWriter(database: Sqlite, lists: ListWriter): (batch: Batch) => BatchAnswer {
  const run = createRunner(database, lists)
  return ({ commands }) => {
    try {
      const outcomes = inTransaction(database, () => {
        const ran = commands.map(run)
        lists.beforeCommit()
        return ran
      })
      lists.committed()
      return { kind: 'committed', outcomes }
    } catch (error) {
      lists.undone()
      return { kind: 'failed', message: (error as Error).message, passing: isStorageFailure(error) }
    }
  }
}

function createRunner(database: Sqlite, lists: ListWriter): (command: Command) => Outcome {
  const writeInvoice = invoiceWriter(database, lists)
  const deleteEvent = database.prepare('DELETE FROM outbox WHERE position = ?')
  const deleteMark = database.prepare(
    'DELETE FROM never_sent WHERE invoice_id = ? AND organization_id = ?',
  )
  const advance = failedAskedWriter(database)
  const deleteEveryMark = database.prepare('DELETE FROM never_sent')
  const settleArchiveWork = archiveWriter(database)

  return (command) => {
    switch (command.kind) {
      case 'create':
      case 'change':
        return writeInvoice(command)
      case 'fold-lists':
        return lists.fold() ? 'more' : 'done'
      case 'forget-outbox':
        for (const position of command.positions) deleteEvent.run([position])
        return 'done'
      case 'take-never-sent': {
        const { changes } = deleteMark.run([command.invoiceId, command.organizationId])
        return changes === 1 ? 'taken' : 'not-taken'
      }
      case 'advance-failed-asked':
        return advance(command.seen, command.until) ? 'taken' : 'not-taken'
      case 'take-every-never-sent':
        deleteEveryMark.run([])
        return 'done'
      default:
        return settleArchiveWork(command) ? 'done' : 'gone'
    }
  }
}

function failedAskedWriter(database: Sqlite) {
  const insert = database.prepare(
    `INSERT INTO progress VALUES ('failed-asked', ?) ON CONFLICT DO NOTHING`,
  )
  const update = database.prepare(
    `UPDATE progress SET value = ? WHERE name = 'failed-asked' AND value = ?`,
  )
  return (seen: string | undefined, until: string): boolean =>
    (seen === undefined ? insert.run([until]) : update.run([until, seen])).changes === 1
}

function invoiceWriter(database: Sqlite, lists: ListWriter): (command: InvoiceCommand) => Outcome {
  const insertInvoice = database.prepare(
    `INSERT INTO invoice VALUES (:id, :organization_id, :invoice_number, :status, :buyer_ice,
       :buyer_name, :invoice_date, :due_date, :amount_ht, :amount_vat, :amount_ttc,
       :clearance_started_at, :created_at, :updated_at, :content, :lines)`,
  )
  const updateInvoice = database.prepare(
    `UPDATE invoice SET invoice_number = :invoice_number, status = :status, buyer_ice = :buyer_ice,
       buyer_name = :buyer_name, invoice_date = :invoice_date, due_date = :due_date,
       amount_ht = :amount_ht, amount_vat = :amount_vat, amount_ttc = :amount_ttc,
       clearance_started_at = :clearance_started_at, created_at = :created_at,
       updated_at = :updated_at, content = :content, lines = :lines
     WHERE id = :id AND organization_id = :organization_id
       AND status = :seen_status AND updated_at = :seen_updated_at`,
  )
  const writeCompanions = companionWriter(database)

  return (command) => {
    const row = toRow(command.write)
    const { invoice } = command.write
    try {
      if (command.kind === 'create') {
        insertInvoice.run(row)
        lists.created(invoice)
      } else {
        const seen = { seen_status: command.seen.status, seen_updated_at: command.seen.updatedAt }
        if (updateInvoice.run({ ...row, ...seen }).changes === 0) return 'moved'
        lists.changed(command.seen.status, invoice)
      }
    } catch (error) {
      if (isUniqueViolation(error)) return 'number-taken'
      throw error
    }
    writeCompanions(command.write)
    return command.kind === 'create' ? 'created' : 'changed'
  }
}

function companionWriter(database: Sqlite): (write: Write) => void {
  const insertXml = database.prepare('INSERT INTO signed_xml VALUES (?, ?, ?)')
  const insertMark = database.prepare('INSERT INTO never_sent VALUES (?, ?)')
  const insertAudit = database.prepare('INSERT INTO audit (organization_id, entry) VALUES (?, ?)')
  const insertEvent = database.prepare('INSERT INTO outbox (fact) VALUES (?)')
  const insertWork = database.prepare(
    'INSERT INTO archive_work (organization_id, invoice_id, part) VALUES (?, ?, ?)',
  )
  return ({ invoice: { id, organizationId }, audit, xml, event, archive }) => {
    insertAudit.run([organizationId, JSON.stringify(audit)])
    if (xml) {
      insertXml.run([id, organizationId, Buffer.from(xml)])
      insertMark.run([id, organizationId])
    }
    if (event) insertEvent.run([JSON.stringify(event)])
    if (archive) insertWork.run([organizationId, id, archive])
  }
}

function toRow({ invoice }: Write): Record<string, string | number | null> {
  const { lines, ...content } = invoice
  return {
    id: invoice.id,
    organization_id: invoice.organizationId,
    invoice_number: invoice.invoiceNumber,
    status: invoice.status,
    buyer_ice: invoice.buyerIce ?? null,
    buyer_name: invoice.buyerName ?? null,
    invoice_date: invoice.invoiceDate,
    due_date: invoice.dueDate ?? null,
    amount_ht: invoice.amountHt,
    amount_vat: invoice.amountVat,
    amount_ttc: invoice.amountTtc,
    clearance_started_at: invoice.clearanceStartedAt ?? null,
    created_at: invoice.createdAt,
    updated_at: invoice.updatedAt,
    content: JSON.stringify(content),
    lines: JSON.stringify(lines),
  }
}

const port = parentPort
if (port) {
  const { file } = workerData as { file: string }
  const database = openSqlite(file, migrations)
  prepareLists(database, (progress) => {
    port.postMessage({ kind: 'preparing', progress } satisfies BatchAnswer)
  })
  const lists = new ListWriter(database)
  const write = createWriter(database, lists)
  port.on('message', (message: Batch | ListSubscriber | 'close') => {
    if (message === 'close') {
      database.close()
      lists.close()
      port.close()
    } else if ('isWanted' in message) lists.subscribe(message)
    else port.postMessage(write(message))
  })
  port.postMessage({ kind: 'ready' } satisfies BatchAnswer)
}
