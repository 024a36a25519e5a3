/** Entries with their places, in one transaction: placing them later costs a second write. */

import {
  auditChainName,
  emptyChain,
  linkEntry,
  type ChainHead,
} from '@einvoicing/runtime/audit-chain'
import type { mongo } from 'mongoose'
import type { AuditHeadDocument, ChainDocument, ChainedLog } from './mongo-audit-log'
import type { Mongo } from './mongo'
import { isDuplicateKey } from './mongo-failures'
import { tryTransaction } from './mongo-transaction'

/** Nothing is stored: each entry is stored alone and finds its place later. */
class Unusual extends Error {}

/** False without a chain, with entries to be placed first, or after a concurrent write. */
export async function insertLinked(
  mongo: Mongo,
  log: ChainedLog,
  documents: readonly ChainDocument[],
): Promise<boolean> {
  return mongo.write(async (db) => {
    try {
      const work = (session: mongo.ClientSession) => insertSome(db, session, { log, documents })
      return (await tryTransaction(db, work)) !== 'held'
    } catch (error) {
      if (error instanceof Unusual || isDuplicateKey(error)) return false
      throw error
    }
  })
}

async function insertSome(
  db: mongo.Db,
  session: mongo.ClientSession,
  { log, documents }: { log: ChainedLog; documents: readonly ChainDocument[] },
): Promise<void> {
  const audit = db.collection<ChainDocument>(log.audit)
  const heads = db.collection<AuditHeadDocument>(log.heads)
  const ids = [...new Set(documents.map(({ organizationId }) => organizationId))]
  const found = await heads.find({ _id: { $in: ids } }, { session }).toArray()
  if (found.length < ids.length) throw new Unusual()
  if (await hasUnplaced(audit, session, { found, log })) throw new Unusual()
  const reached = new Map<string, ChainHead>(found.map((head) => [head._id, head]))
  const linked = documents.map((document) => {
    const { organizationId } = document
    const chain = auditChainName(log.log, organizationId)
    const link = linkEntry(chain, reached.get(organizationId) ?? emptyChain, log.toEntry(document))
    reached.set(organizationId, link)
    return Object.assign({}, document, link)
  })
  // First: of two transactions the second conflicts here, before it has written anything else.
  const updates = found.map(({ _id, seq: before }) => {
    const { seq, hash } = reached.get(_id) ?? emptyChain
    return { updateOne: { filter: { _id, seq: before }, update: { $set: { seq, hash } } } }
  })
  const { matchedCount } = await heads.bulkWrite(updates, { session, ordered: false })
  if (matchedCount !== found.length) throw new Unusual()
  await audit.insertMany(linked, { session, ordered: false })
}

/** Of an older process, or left by one that was killed. */
async function hasUnplaced(
  audit: mongo.Collection<ChainDocument>,
  session: mongo.ClientSession,
  { found, log }: { found: readonly AuditHeadDocument[]; log: ChainedLog },
): Promise<boolean> {
  const unplaced = found.map(({ _id: organizationId, since }) => ({
    organizationId,
    // A missing field is null to MongoDB.
    seq: null as unknown as number,
    _id: { $gte: log.parseId(since) },
  }))
  const options = { session, projection: { _id: 1 }, hint: 'by_seq' } as const
  return (await audit.findOne({ $or: unplaced }, options)) !== null
}
