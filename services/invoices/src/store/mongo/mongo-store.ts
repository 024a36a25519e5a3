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
import { neverSentMarks } from './never-sent'
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
