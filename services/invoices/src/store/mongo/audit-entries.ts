/**
 * The audit in MongoDB. Entries are committed in the invoice's own document and copied from there
 * in the background to a collection of theirs, where they are kept for ever; who lists them waits
 * for those not yet copied, so that every page and every total is exact.
 */

import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import type { Log } from '@einvoicing/runtime/log'
import type { ListAuditRequest } from '@einvoicing/proto/invoice'
import mongoose, { type mongo } from 'mongoose'
import { startLoop, type Loop } from '../../loop'
import { toAuditEntry } from './documents'
import { auditOf, invoicesOf, type AuditDocument, type InvoiceDocument } from './schema'
import type { Writer } from './pending-work'
import type { InvoiceStore } from '../store'

const copiedAtOnce = 500
const pauseMs = 1_000

type Uncopied = mongo.Filter<InvoiceDocument>

export function startAuditCopier(mongo: Mongo, writer: Writer, log: Log): Loop {
  return startLoop({ name: 'audit', pauseMs, log }, async (closing) => {
    while (!closing() && (await copySome(mongo, writer.mine('unaudited'))) === copiedAtOnce);
  })
}

export function auditReads(mongo: Mongo): Pick<InvoiceStore, 'listAudit' | 'listAuditOf'> {
  return {
    async listAudit(organizationId, request) {
      // Whatever was answered before now is found by this.
      await copyAll(mongo, { organizationId })
      const { page, size, uncounted = false } = request
      const filter = { organizationId, ...filterOf(request) }
      const hint = request.invoiceId === undefined ? 'by_moment' : 'of_invoice'
      return mongo.read(async (db) => {
        const [entries, total] = await Promise.all([
          auditOf(db)
            .find(filter, { hint })
            .sort({ at: -1, _id: -1 })
            .skip(page * size)
            .limit(size)
            .toArray(),
          uncounted ? 0 : auditOf(db).countDocuments(filter, { hint }),
        ])
        return { entries: entries.map(toAuditEntry), total }
      })
    },
    async listAuditOf(organizationId, invoiceId, count) {
      await copyAll(mongo, { _id: invoiceId, organizationId })
      const newest = await mongo.read((db) =>
        auditOf(db)
          .find({ organizationId, invoiceId })
          .sort({ at: -1, _id: -1 })
          .limit(count)
          .toArray(),
      )
      return newest.reverse().map(toAuditEntry)
    },
  }
}

function filterOf({ action, actor, invoiceId, atFrom, atBefore }: ListAuditRequest) {
  const moments = {
    ...(atFrom !== undefined && { $gte: atFrom }),
    ...(atBefore !== undefined && { $lt: atBefore }),
  }
  return {
    ...(action !== undefined && { action: actionFilter(action) }),
    ...(actor !== undefined && { actor }),
    ...(invoiceId !== undefined && { invoiceId }),
    ...(Object.keys(moments).length > 0 && { at: moments }),
  }
}

// A slash is what comes behind a dot.
function actionFilter(action: string) {
  return action.endsWith('.') ? { $gte: action, $lt: `${action.slice(0, -1)}/` } : action
}

async function copyAll(mongo: Mongo, of: Uncopied): Promise<void> {
  const uncopied = { 'unaudited.position': { $gt: '' }, ...of }
  while ((await copySome(mongo, uncopied)) === copiedAtOnce);
}

/** How many invoices' entries were copied. */
async function copySome(mongo: Mongo, uncopied: Uncopied): Promise<number> {
  const found = await mongo.read((db) =>
    invoicesOf(db)
      .find(uncopied, { projection: { unaudited: 1 } })
      .sort({ 'unaudited.position': 1 })
      .limit(copiedAtOnce)
      .toArray(),
  )
  if (found.length === 0) return 0
  const entries = found.flatMap(({ unaudited }) => unaudited?.entries ?? [])
  await mongo.write((db) => keep(auditOf(db), entries))
  // Where another entry has joined meanwhile, the position is another, and all stay.
  const positions = found.map(({ unaudited }) => unaudited?.position ?? '')
  await mongo.write((db) =>
    invoicesOf(db).updateMany(
      { 'unaudited.position': { $in: positions } },
      { $unset: { unaudited: 1 } },
    ),
  )
  return found.length
}

/** An entry that is there already was copied by another, or by us before a crash. */
async function keep(
  audit: mongo.Collection<AuditDocument>,
  entries: AuditDocument[],
): Promise<void> {
  try {
    await audit.insertMany(entries, { ordered: false })
  } catch (error) {
    if (!areAllThere(error, entries.length)) throw error
  }
}

/** The driver wraps a broken connection in the same class, and then tells of no entry at all. */
function areAllThere(error: unknown, count: number): boolean {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return false
  const { result } = error
  const errors = result.getWriteErrors()
  const reported = result.insertedCount + errors.length
  return reported === count && !result.getWriteConcernError() && errors.every(isDuplicateKey)
}
