/** Committed in the invoice's document, copied to a collection later. A list waits for that. */

import type { Mongo } from '@einvoicing/stores/mongo'
import { openAuditChain, type Chain, type ChainLinks } from '@einvoicing/stores/mongo-audit-chain'
import { prefixFilter, type ChainDocument } from '@einvoicing/stores/mongo-audit-log'
import { AuditTurns, readAuditPage } from '@einvoicing/stores/mongo-audit-pages'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import { HeldChains } from '@einvoicing/stores/mongo-held-chains'
import type { Log } from '@einvoicing/runtime/log'
import type { AuditChains } from '@einvoicing/runtime/audit-chain'
import type { ListAuditRequest } from '@einvoicing/proto/invoice'
import mongoose, { type mongo } from 'mongoose'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { v7 as uuidV7 } from 'uuid'
import { toAuditEntry } from './documents'
import {
  auditCollections,
  getAuditCollection,
  getInvoiceCollection,
  type AuditDocument,
  type InvoiceDocument,
} from './schema'
import type { Writer } from './writer'
import { unauditedIndex } from './work-indexes'
import type { InvoiceStore } from '../store'

const copiedAtOnce = 500
const pauseMs = 1_000
const withEventMs = 5_000

type Uncopied = mongo.Filter<InvoiceDocument>
/** False: another process holds its chain. */
type ChainEntries = (organizationId: string) => Promise<boolean>

export function invoiceChain(mongo: Mongo): Chain {
  const chain = openAuditChain(
    mongo,
    {
      ...auditCollections,
      log: 'invoices',
      toEntry: (document) => toAuditEntry(document as unknown as AuditDocument),
      toDocument: (organizationId, entry) => ({ _id: uuidV7(), organizationId, ...entry }),
      firstId: (msecs) => uuidV7({ msecs, random: new Uint8Array(16) }),
      parseId: (text) => text,
    },
    async () => {
      await copyAll({ mongo, links: chain.links }, {}, waitToChain(chain.links))
    },
  )
  return chain
}

export interface Copying {
  mongo: Mongo
  links: ChainLinks
}

/** Entries beside an event are copied when it is published, unless that takes too long. */
export function startAuditCopier(copying: Copying, writer: Writer, log: Log): Loop {
  const held = new HeldChains(copying.links)
  const chainEntries: ChainEntries = (organizationId) => held.chainEntries(organizationId)
  const findUncopied = (): Uncopied => {
    const isLate = { 'unaudited.position': { $lt: writer.momentAgo(withEventMs) } }
    const isWithoutEvent = { $or: [{ outgoing: { $exists: false } }, isLate] }
    const organizationId = { $nin: held.list() }
    return { organizationId, $and: [writer.mine('unaudited'), isWithoutEvent] }
  }
  return startLoop({ name: 'audit', pauseMs, log }, (closing) =>
    held.workOnOthers(async () => {
      const copyNext = () => copySome(copying, findUncopied(), chainEntries)
      while (!closing() && (await copyNext()).count === copiedAtOnce);
    }),
  )
}

type AuditReads = Pick<InvoiceStore, 'listAudit' | 'listAuditOfInvoice' | keyof AuditChains>

export function auditReads(mongo: Mongo, { links, ...chains }: Chain): AuditReads {
  const copying = { mongo, links }
  const turns = new AuditTurns(links)
  const listAudit = async (organizationId: string, request: ListAuditRequest) => {
    const tryToChain: ChainEntries = (id) => links.tryChainEntries(id)
    if (!(await copyAll(copying, { organizationId }, tryToChain))) return 'held'
    const filter = { organizationId, ...toFilter(request) }
    const hint = request.invoiceId === undefined ? 'by_moment' : 'of_invoice'
    return mongo.read(async (db) => {
      const found = getAuditCollection(db).find(filter, { hint }).sort({ at: -1, _id: -1 })
      const [page, total] = await Promise.all([
        readAuditPage(found, { request, toEntry: toAuditEntry, momentPath: 'at' }),
        request.uncounted ? 0 : getAuditCollection(db).countDocuments(filter, { hint }),
      ])
      return { ...page, total }
    })
  }
  return {
    ...chains,
    listAudit: (organizationId, request) =>
      turns.run(organizationId, () => listAudit(organizationId, request)),
    async listAuditOfInvoice(organizationId, invoiceId, count) {
      await copyAll(copying, { _id: invoiceId, organizationId }, waitToChain(links))
      const newest = await mongo.read((db) =>
        getAuditCollection(db)
          .find({ organizationId, invoiceId })
          .sort({ at: -1, _id: -1 })
          .limit(count)
          .toArray(),
      )
      return newest.reverse().map(toAuditEntry)
    },
  }
}

function toFilter({ action, actor, invoiceId, atFrom, atBefore }: ListAuditRequest) {
  const moments = {
    ...(atFrom !== undefined && { $gte: atFrom }),
    ...(atBefore !== undefined && { $lt: atBefore }),
  }
  return {
    ...(action !== undefined && { action: prefixFilter(action) }),
    ...(actor !== undefined && { actor: prefixFilter(actor) }),
    ...(invoiceId !== undefined && { invoiceId }),
    ...(Object.keys(moments).length > 0 && { at: moments }),
  }
}

const waitToChain =
  (links: ChainLinks): ChainEntries =>
  async (organizationId) => {
    await links.chainEntries(organizationId)
    return true
  }

/** False, and some are left: another process holds a chain. */
async function copyAll(
  copying: Copying,
  of: Uncopied,
  chainEntries: ChainEntries,
): Promise<boolean> {
  const uncopied = { ...of, 'unaudited.position': { $gt: '' } }
  for (;;) {
    const { count, isHeld } = await copySome(copying, uncopied, chainEntries)
    if (isHeld || count < copiedAtOnce) return !isHeld
  }
}

async function copySome(
  copying: Copying,
  uncopied: Uncopied,
  chainEntries: ChainEntries,
): Promise<{ count: number; isHeld: boolean }> {
  const { mongo } = copying
  const isOneInvoice = '_id' in uncopied
  const found = await mongo.read((db) =>
    getInvoiceCollection(db)
      .find(uncopied, { projection: { organizationId: 1, unaudited: 1 } })
      .hint(isOneInvoice ? '_id_' : unauditedIndex)
      .sort(isOneInvoice ? { _id: 1 } : { organizationId: 1, 'unaudited.position': 1 })
      .limit(copiedAtOnce)
      .toArray(),
  )
  if (found.length === 0) return { count: 0, isHeld: false }
  const held = await copyEntries(copying, found, chainEntries)
  const linked = found.filter(({ organizationId }) => !held.has(organizationId))
  // If an entry was added in between, the position differs and all entries stay.
  const positions = linked.map(({ unaudited }) => unaudited?.position ?? '')
  await mongo.write((db) =>
    getInvoiceCollection(db).updateMany(
      { 'unaudited.position': { $in: positions } },
      { $unset: { unaudited: 1 } },
    ),
  )
  return { count: found.length, isHeld: held.size > 0 }
}

export type Audited = Pick<InvoiceDocument, 'organizationId' | 'unaudited'>

/** False: nothing is stored. */
export async function insertLinkedEntries(
  { links }: Copying,
  entries: readonly AuditDocument[],
): Promise<boolean> {
  return entries.length === 0 || links.insertLinked(entries as readonly ChainDocument[])
}

/** The organizations whose entries have no place yet: another process holds their chains. */
async function copyEntries(
  copying: Copying,
  audited: readonly Audited[],
  chainEntries: ChainEntries,
): Promise<ReadonlySet<string>> {
  const entries = listEntries(audited)
  const held = new Set<string>()
  if (await insertLinkedEntries(copying, entries)) return held
  await copying.mongo.write((db) => insertCopies(getAuditCollection(db), entries))
  for (const organizationId of new Set(audited.map((document) => document.organizationId))) {
    if (!(await chainEntries(organizationId))) held.add(organizationId)
  }
  return held
}

export const listEntries = (audited: readonly Audited[]): AuditDocument[] =>
  audited
    .flatMap(({ unaudited }) => unaudited?.entries ?? [])
    .toSorted((one, other) => (one._id < other._id ? -1 : 1))

/** An existing entry was copied by another process, or before a crash. */
async function insertCopies(
  audit: mongo.Collection<AuditDocument>,
  entries: readonly AuditDocument[],
): Promise<void> {
  try {
    await audit.insertMany(entries, { ordered: false })
  } catch (error) {
    if (!areAllThere(error, entries.length)) throw error
  }
}

/** The driver uses the same class for a broken connection, then without entries. */
function areAllThere(error: unknown, count: number): boolean {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return false
  const { result } = error
  const errors = result.getWriteErrors()
  const reported = result.insertedCount + errors.length
  return reported === count && !result.getWriteConcernError() && errors.every(isDuplicateKey)
}
