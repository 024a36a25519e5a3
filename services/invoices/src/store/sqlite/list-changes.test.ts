import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { inTransaction, openSqlite, type Sqlite } from '@einvoicing/stores/sqlite'
import { ChangeFeed } from './change-feed'
import { ListWriter } from './list-writer'
import { MarkedOrders } from './marked-orders'
import { orders } from './ordered-rows'
import { prepareLists } from './prepare-lists'
import { invoiceColumns, makeReady } from './ready-write'
import { migrations } from './schema'
import { anInvoice, write } from '../testdata/invoices'

let folder: string
let databases: Sqlite[]
let channels: MessagePort[]
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-'))
  ;[databases, channels] = [[], []]
})
afterEach(() => {
  for (const one of [...channels, ...databases]) one.close()
  fs.rmSync(folder, { recursive: true })
})

const open = () => {
  const database = openSqlite(path.join(folder, 'invoices.db'), migrations)
  databases.push(database)
  return database
}

function openProcess() {
  const database = open()
  prepareLists(database, () => undefined)
  const writer = new ListWriter(database)
  const { port1, port2 } = new MessageChannel()
  channels.push(port1)
  const isWanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  writer.subscribe({ port: port2, isWanted })
  const feed = new ChangeFeed(port1, isWanted)
  const places = invoiceColumns.map(() => '?')
  const insert = database.prepare(
    `INSERT INTO invoice (${invoiceColumns.join(', ')}) VALUES (${places.join(', ')})`,
  )
  const marked = new MarkedOrders(open(), feed)
  const place = { organization: 1, order: orders.createdAt }
  return {
    /** All in one transaction, which fails where `isLost`. */
    createAndFold(count: number, { isLost = false } = {}) {
      try {
        inTransaction(database, () => {
          for (let created = 0; created < count; created += 1) {
            const { row, invoice } = makeReady(write(anInvoice()))
            insert.run(row)
            writer.created(invoice)
          }
          writer.fold()
          writer.beforeCommit()
          if (isLost) throw new Error('the disk is full')
        })
      } catch {
        return
      }
    },
    undone: () => writer.undone(),
    count: () => marked.inSnapshot(() => marked.getMarks(place, 'total').count({})),
  }
}

it('no list takes a failed commit for the one that another process made instead', () => {
  const [service, command] = [openProcess(), openProcess()]
  service.createAndFold(1)
  expect(service.count()).toBe(1)
  service.createAndFold(1, { isLost: true })
  command.createAndFold(3)
  expect(service.count()).toBe(4)
  service.undone()
  service.createAndFold(2)
  expect(service.count()).toBe(6)
  expect(command.count()).toBe(6)
})
