/**
 * One document also holds the entries, events, XML and archive work committed with the invoice, so
 * that one insert or conditional update is the whole commit (docs/decisions/0014).
 */

import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { openMongo, type Mongo, type MongoTimes } from '@einvoicing/stores/mongo'
import type { MongoConfig } from '@einvoicing/stores/mongo-config'
import { queuedWork } from './queued-work'
import { startListCounting } from './count-lists'
import { auditReads, invoiceChain, startAuditCopier } from './audit-entries'
import { changeReads } from './changes'
import { changeTogether } from './change-together'
import { MongoCreations } from './creations'
import { evidence } from './evidence'
import { MongoChanges } from './grouped-changes'
import { groupedReads } from './grouped-reads'
import { statistics } from './statistics'
import { lists } from './list-query'
import { getInvoiceCollection, migrations } from './schema'
import { outbox } from './outbox'
import { overviewReads } from './overview'
import { undecidedReads } from './undecided'
import { Writer } from './writer'
import { newDocument } from './written-documents'
import type { InvoiceStore } from '../store'

/** Throws `SettingsError` for what a retry cannot fix. */
export async function openMongoStore(
  config: MongoConfig,
  { now, log, times }: { now: Clock; log: Log; times?: Partial<MongoTimes> },
): Promise<InvoiceStore> {
  const mongo = await openMongo(config, { what: 'The invoice store', migrations, log, times })
  const writer = new Writer(now)
  const creations = new MongoCreations(mongo)
  const changes = new MongoChanges(mongo, writer)
  const chain = invoiceChain(mongo)
  const copying = { mongo, links: chain.links }
  const copier = startAuditCopier(copying, writer, log)
  const counting = startListCounting(mongo, now, log)
  return {
    create(write) {
      counting.noteWrite()
      return creations.create(newDocument(write, writer))
    },
    change(seen, write) {
      counting.noteWrite()
      return changes.change(seen, write)
    },
    changeTogether(together) {
      counting.noteWrite()
      return changeTogether(mongo, writer, together)
    },
    ...groupedReads(mongo),
    ...summaryReads(mongo),
    ...neverSentMarks(mongo),
    ...lists(mongo, counting),
    ...changeReads(mongo),
    ...auditReads(mongo, chain),
    ...outbox(copying, writer),
    ...undecidedReads(mongo),
    ...queuedWork(mongo, writer),
    ...evidence(mongo, writer),
    ...statistics(mongo),
    ...overviewReads(mongo),
    check: () => mongo.check(),
    async close() {
      await Promise.all([creations.settled(), copier.close(), counting.close()])
      await mongo.close()
    },
  }
}

const take = { $unset: { neverSent: 1 } } as const
/** Marks have no index: a page reads all its invoices, also large ones, within one write. */
const marksAtOnce = 100

function neverSentMarks(mongo: Mongo): Pick<InvoiceStore, 'takeNeverSent' | 'takeEveryNeverSent'> {
  return {
    async takeNeverSent(organizationId, invoiceId) {
      const marked = { _id: invoiceId, organizationId, neverSent: true } as const
      // A lost answer counts as taken: a repeated call finds no mark.
      const { matchedCount } = await mongo.write((db) =>
        getInvoiceCollection(db).updateOne(marked, take),
      )
      return matchedCount === 1
    },
    async takeEveryNeverSent() {
      let after: string | undefined = ''
      while (after !== undefined) after = await takePage(mongo, after)
    },
  }
}

async function takePage(mongo: Mongo, after: string): Promise<string | undefined> {
  return mongo.write(async (db) => {
    const invoices = getInvoiceCollection(db)
    const hint = '_id_'
    const last = await invoices.findOne(
      { _id: { $gt: after } },
      { projection: { _id: 1 }, sort: { _id: 1 }, skip: marksAtOnce - 1, hint },
    )
    const page = { $gt: after, ...(last && { $lte: last._id }) }
    await invoices.updateMany({ _id: page, neverSent: true }, take, { hint })
    return last?._id
  })
}

function summaryReads(mongo: Mongo): Pick<InvoiceStore, 'readSummaries'> {
  return {
    async readSummaries(organizationId, invoiceIds) {
      const wanted = { _id: { $in: [...invoiceIds] }, organizationId }
      const projection = { 'invoice.invoiceNumber': 1, 'invoice.status': 1 }
      const found = await mongo.read((db) =>
        getInvoiceCollection(db).find(wanted, { projection }).toArray(),
      )
      return new Map(found.map(({ _id, invoice }) => [_id, invoice]))
    },
  }
}
