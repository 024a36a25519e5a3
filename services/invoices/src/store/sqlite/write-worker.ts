/** The only writer, in a thread so that no fsync blocks the event loop. */

import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import {
  inTransaction,
  isStorageFailure,
  isUniqueViolation,
  openSqlite,
  type Sqlite,
} from '@einvoicing/stores/sqlite'
import { AuditWriter, checkpointStateWriter } from '@einvoicing/stores/sqlite-audit-chain'
import { outcomeWriter, workWriter } from './queued-work'
import { evidenceRequests } from './evidence'
import type { Batch, BatchAnswer, Command, Outcome, ReadyChange } from './commands'
import { ListWriter, type ListSubscriber } from './list-writer'
import { prepareLists } from './prepare-lists'
import { migrations } from './schema'
import { invoiceColumns, type ReadyWrite } from './ready-write'

type ToWriter = Batch | ListSubscriber | 'close'

const batchMax = 256

type InvoiceCommand = Extract<Command, { write: ReadyWrite }>

function createWriter(database: Sqlite, lists: ListWriter): (batch: Batch) => BatchAnswer {
  const audit = new AuditWriter(database, 'invoices')
  const run = createRunner(database, { lists, audit })
  return ({ commands }) => {
    try {
      const outcomes = inTransaction(database, () => {
        audit.afterBegin()
        const ran = commands.map(run)
        lists.beforeCommit()
        audit.beforeCommit()
        return ran
      })
      return { kind: 'committed', outcomes }
    } catch (error) {
      lists.undone()
      audit.forget()
      return {
        kind: 'failed',
        commands: commands.length,
        message: (error as Error).message,
        passing: isStorageFailure(error),
      }
    }
  }
}

interface Companions {
  lists: ListWriter
  audit: AuditWriter
}

function createRunner(database: Sqlite, companions: Companions): (command: Command) => Outcome {
  const { lists } = companions
  const writeInvoice = invoiceWriter(database, companions)
  const changeTogether = togetherWriter(database, writeInvoice)
  const deleteEvent = database.prepare('DELETE FROM outbox WHERE position = ?')
  const deleteMark = database.prepare(
    'DELETE FROM never_sent WHERE invoice_id = ? AND organization_id = ?',
  )
  const advance = failedQueriedWriter(database)
  const deleteEveryMark = database.prepare('DELETE FROM never_sent')
  const settleWork = outcomeWriter(database)
  const writeCheckpointState = checkpointStateWriter(database)
  const requestEvidence = evidenceRequests(database)

  return (command) => {
    switch (command.kind) {
      case 'create':
      case 'change':
        return writeInvoice(command)
      case 'change-together':
        return changeTogether(command.changes)
      case 'fold-lists':
        return lists.fold() ? 'more' : 'done'
      case 'forget-outbox':
        for (const position of command.positions) deleteEvent.run([position])
        return 'done'
      case 'take-never-sent': {
        const { changes } = deleteMark.run([command.invoiceId, command.organizationId])
        return changes === 1 ? 'taken' : 'not-taken'
      }
      case 'advance-failed-queried':
        return advance(command.seen, command.until) ? 'taken' : 'not-taken'
      case 'take-every-never-sent':
        deleteEveryMark.run([])
        return 'done'
      case 'checkpoint-made':
        writeCheckpointState(command.state)
        return 'done'
      case 'request-evidence':
        requestEvidence(command.part, command.invoices)
        return 'done'
      default:
        return settleWork(command) ? 'done' : 'gone'
    }
  }
}

/** Checks every version before it writes the first: commands of a batch share a transaction. */
function togetherWriter(database: Sqlite, writeInvoice: (command: InvoiceCommand) => Outcome) {
  const countSeen = database.prepare(
    'SELECT 1 FROM invoice WHERE id = ? AND organization_id = ? AND status = ? AND updated_at = ?',
  )
  const isUnchanged = ({ seen, write: { invoice } }: ReadyChange) =>
    !seen ||
    countSeen.get([invoice.id, invoice.organizationId, seen.status, seen.updatedAt]) !== undefined
  return (changes: readonly ReadyChange[]): Outcome => {
    if (!changes.every(isUnchanged)) return 'moved'
    for (const { write } of changes.filter(({ seen }) => !seen)) {
      if (writeInvoice({ kind: 'create', write }) === 'number-taken') return 'number-taken'
    }
    for (const { seen, write } of changes) {
      if (seen && writeInvoice({ kind: 'change', seen, write }) !== 'changed') {
        throw new Error(`invoice ${write.invoice.id} cannot be changed with others`)
      }
    }
    return 'changed'
  }
}

function failedQueriedWriter(database: Sqlite) {
  const insert = database.prepare(
    `INSERT INTO progress VALUES ('failed-asked', ?) ON CONFLICT DO NOTHING`,
  )
  const update = database.prepare(
    `UPDATE progress SET value = ? WHERE name = 'failed-asked' AND value = ?`,
  )
  return (seen: string | undefined, until: string): boolean =>
    (seen === undefined ? insert.run([until]) : update.run([until, seen])).changes === 1
}

function invoiceWriter(
  database: Sqlite,
  { lists, audit }: Companions,
): (command: InvoiceCommand) => Outcome {
  const places = invoiceColumns.map((_, index) => `?${index + 1}`)
  const insertInvoice = database.prepare(
    `INSERT INTO invoice (${invoiceColumns.join(', ')}) VALUES (${places.join(', ')})`,
  )
  const assign = (column: string, place: string) =>
    `${column} = ${column === 'lines' ? `coalesce(${place}, lines)` : place}`
  // Not the first two: setting a column writes its index.
  const set = invoiceColumns.map((column, index) => assign(column, `?${index + 1}`)).slice(2)
  const seenAt = invoiceColumns.length
  const updateInvoice = database.prepare(
    `UPDATE invoice SET ${set.join(', ')}
     WHERE id = ?1 AND organization_id = ?2
       AND status = ?${seenAt + 1} AND updated_at = ?${seenAt + 2}`,
  )
  const writeCompanions = companionWriter(database, audit)

  return (command) => {
    const { invoice, row } = command.write
    try {
      if (command.kind === 'create') {
        insertInvoice.run(row)
        lists.created(invoice)
      } else {
        const { status, updatedAt } = command.seen
        if (updateInvoice.run([...row, status, updatedAt]).changes === 0) return 'moved'
        lists.changed(status, invoice)
      }
    } catch (error) {
      if (isUniqueViolation(error)) return 'number-taken'
      throw error
    }
    writeCompanions(command.write)
    return command.kind === 'create' ? 'created' : 'changed'
  }
}

function companionWriter(database: Sqlite, chains: AuditWriter): (write: ReadyWrite) => void {
  const insertXml = database.prepare('INSERT INTO signed_xml VALUES (?, ?, ?)')
  const insertMark = database.prepare('INSERT INTO never_sent VALUES (?, ?)')
  const insertEvent = database.prepare('INSERT INTO outbox (fact) VALUES (?)')
  const insertWork = workWriter(database)
  return ({ invoice: { id, organizationId }, audit, xml, event, work }) => {
    for (const entry of audit) chains.add(organizationId, entry)
    if (xml) {
      insertXml.run([id, organizationId, Buffer.from(xml.buffer, xml.byteOffset, xml.length)])
      insertMark.run([id, organizationId])
    }
    if (event) insertEvent.run([event])
    if (work) insertWork(work, { organizationId, invoiceId: id })
  }
}

/** What waits behind the batch joins it; returns the message that cannot. */
function addWaiting({ commands }: Batch, port: MessagePort): ToWriter | undefined {
  while (commands.length < batchMax) {
    const received: { message: ToWriter } | undefined = receiveMessageOnPort(port)
    if (!received) return undefined
    const { message } = received
    if (message === 'close' || !('commands' in message)) return message
    commands.push(...message.commands)
  }
  return undefined
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
  const handle = (message: ToWriter): void => {
    if (message === 'close') {
      database.close()
      lists.close()
      port.close()
    } else if ('isWanted' in message) lists.subscribe(message)
    else {
      const next = addWaiting(message, port)
      port.postMessage(write(message))
      if (next) handle(next)
    }
  }
  port.on('message', handle)
  port.postMessage({ kind: 'ready' } satisfies BatchAnswer)
}
