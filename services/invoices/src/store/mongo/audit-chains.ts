/**
 * Gives copied entries their place in the chain of their organization. An older process beside
 * copies entries without a place; they get it here, too, as do those of a copy that was cut off.
 */

import {
  EarlierEntries,
  emptyChain,
  linkEntry,
  type ChainHead,
} from '@einvoicing/domain/audit-chain'
import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { v7 as uuidV7 } from 'uuid'
import { auditChainName, type AuditChains, type PlacedAuditEntry } from '../audit-chains'
import { toAuditEntry } from './documents'
import {
  getAuditCollection,
  getAuditHeads,
  type AuditDocument,
  type AuditHeadDocument,
} from './schema'

const linkedAtOnce = 500
const earlierAtOnce = 1_000
const hint = 'by_seq'
// Entries that are copied later than this are not there: their place would be before the chain.
const lateCopiesMs = 3_600_000

/** `withoutSeq`: a missing field is null to MongoDB. */
const withoutSeq = { seq: null as unknown as number }

export async function chainEntries(mongo: Mongo, organizationId: string): Promise<void> {
  const begun = await mongo.read((db) => getAuditHeads(db).findOne({ _id: organizationId }))
  const start = begun ? undefined : await findStart(mongo, organizationId)
  while (await chainSome(mongo, organizationId, start));
}

/** What is there before the chain does not change any more, so it is read outside a transaction. */
async function findStart(mongo: Mongo, organizationId: string): Promise<Start> {
  const since = uuidV7({ msecs: Date.now() - lateCopiesMs, random: new Uint8Array(16) })
  const earlier = new EarlierEntries(auditChainName(organizationId))
  let after = ''
  for (;;) {
    const page = await readEarlier(mongo, organizationId, { after, since, count: earlierAtOnce })
    for (const document of page) earlier.add(toAuditEntry(document))
    after = page.at(-1)?._id ?? after
    if (page.length < earlierAtOnce) return { since, earlier }
  }
}

interface Start {
  since: string
  earlier: EarlierEntries
}

interface EarlierPage {
  after: string
  since: string
  count: number
}

function readEarlier(
  mongo: Mongo,
  organizationId: string,
  { after, since, count }: EarlierPage,
): Promise<AuditDocument[]> {
  const filter = { organizationId, ...withoutSeq, _id: { $gt: after, $lt: since } }
  return mongo.read((db) =>
    getAuditCollection(db).find(filter, { hint }).sort({ _id: 1 }).limit(count).toArray(),
  )
}

/** Of two processes at once one waits for the other, by the head. True where there may be more. */
function chainSome(
  mongo: Mongo,
  organizationId: string,
  start: Start | undefined,
): Promise<boolean> {
  return mongo.write(async (db) => {
    const session = db.client.startSession()
    try {
      return await session.withTransaction(() => linkSome(db, session, { organizationId, start }))
    } finally {
      await session.endSession()
    }
  })
}

async function linkSome(
  db: mongo.Db,
  session: mongo.ClientSession,
  { organizationId, start }: { organizationId: string; start: Start | undefined },
): Promise<boolean> {
  const [audit, heads] = [getAuditCollection(db), getAuditHeads(db)]
  const chain = auditChainName(organizationId)
  const head = await heads.findOne({ _id: organizationId }, { session })
  const since = head?.since ?? start?.since ?? ''
  const found = await audit
    .find({ organizationId, ...withoutSeq, _id: { $gte: since } }, { session, hint })
    .sort({ _id: 1 })
    .limit(linkedAtOnce)
    .toArray()
  if (found.length === 0) return false
  let reached: ChainHead = head ?? emptyChain
  if (!head && start && start.earlier.count > 0) {
    const began = start.earlier.begin(new Date().toISOString())
    const link = linkEntry(chain, reached, began)
    await audit.insertOne(
      { _id: uuidV7(), organizationId, ...began, ...link },
      {
        session,
      },
    )
    reached = link
  }
  const updates = found.map((document) => {
    const link = linkEntry(chain, reached, toAuditEntry(document))
    reached = link
    return { updateOne: { filter: { _id: document._id, ...withoutSeq }, update: { $set: link } } }
  })
  const { seq, hash } = reached
  // First: of two transactions the second conflicts here, before it has written anything else.
  await advance(heads, session, { head, next: { _id: organizationId, seq, hash, since } })
  const { matchedCount } = await audit.bulkWrite(updates, { session, ordered: false })
  if (matchedCount !== found.length) throw new Error('entries of the audit log changed meanwhile')
  return found.length === linkedAtOnce
}

async function advance(
  heads: mongo.Collection<AuditHeadDocument>,
  session: mongo.ClientSession,
  { head, next }: { head: AuditHeadDocument | null; next: AuditHeadDocument },
): Promise<void> {
  const { _id, seq, hash } = next
  if (!head) {
    await heads.insertOne(next, { session })
    return
  }
  const guarded = { _id, seq: head.seq }
  const { matchedCount } = await heads.updateOne(guarded, { $set: { seq, hash } }, { session })
  if (matchedCount !== 1) throw new Error('the head of the audit log changed meanwhile')
}

export function auditChainReads(mongo: Mongo, copyAll: () => Promise<void>): AuditChains {
  const listHeads = () => mongo.read((db) => getAuditHeads(db).find().sort({ _id: 1 }).toArray())
  return {
    async completeAuditChains() {
      await copyAll()
      for (const { _id } of await listHeads()) await chainEntries(mongo, _id)
    },
    async listAuditHeads() {
      const heads = await listHeads()
      return heads.map(({ _id, seq, hash }) => ({ organizationId: _id, seq, hash }))
    },
    async readAuditChain(organizationId, after, count) {
      const place = parsePlace(after)
      if (place.seq === undefined) {
        const head = await mongo.read((db) => getAuditHeads(db).findOne({ _id: organizationId }))
        const range = { after: place.id, since: head?.since ?? '', count }
        const earlier = await readEarlier(mongo, organizationId, range)
        if (earlier.length > 0) return fill(mongo, organizationId, { earlier, count })
      }
      return readLinked(mongo, organizationId, { seq: place.seq ?? 0, id: place.id, count })
    },
  }
}

/** A short page would be the last one: it goes on with the chain. */
async function fill(
  mongo: Mongo,
  organizationId: string,
  { earlier, count }: { earlier: AuditDocument[]; count: number },
): Promise<PlacedAuditEntry[]> {
  const placed = earlier.map(toPlaced)
  if (earlier.length === count) return placed
  const rest = { seq: 0, id: '', count: count - earlier.length }
  return [...placed, ...(await readLinked(mongo, organizationId, rest))]
}

async function readLinked(
  mongo: Mongo,
  organizationId: string,
  { seq, id, count }: { seq: number; id: string; count: number },
): Promise<PlacedAuditEntry[]> {
  const filter = { organizationId, $or: [{ seq: { $gt: seq } }, { seq, _id: { $gt: id } }] }
  const found = await mongo.read((db) =>
    getAuditCollection(db).find(filter).sort({ seq: 1, _id: 1 }).limit(count).toArray(),
  )
  return found.map(toPlaced)
}

function toPlaced(document: AuditDocument): PlacedAuditEntry {
  const { _id, seq } = document
  return { entry: toAuditEntry(document), position: JSON.stringify([seq ?? null, _id]) }
}

function parsePlace(position: string | undefined): { seq: number | undefined; id: string } {
  if (position === undefined) return { seq: undefined, id: '' }
  const [seq, id] = JSON.parse(position) as [number | null, string]
  return { seq: seq ?? undefined, id }
}
