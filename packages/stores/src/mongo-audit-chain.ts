/** Older processes, and killed ones, leave entries without a place: they get it here. */

import {
  auditChainName,
  EarlierEntries,
  emptyChain,
  linkEntry,
  type AuditChains,
  type ChainHead,
  type PlacedAuditEntry,
} from '@einvoicing/runtime/audit-chain'
import type { mongo } from 'mongoose'
import type { Mongo } from './mongo'
import type { AuditHeadDocument, ChainDocument, ChainedLog } from './mongo-audit-log'
import { insertLinked } from './mongo-audit-insert'
import { isDuplicateKey } from './mongo-failures'
import { inTransaction, tryTransaction } from './mongo-transaction'

interface CheckpointDocument {
  _id: 'checkpoint'
  date?: string
  at?: string
  /** Other processes do not begin the next one until then. */
  takenUntil?: string
}

export interface ChainLinks {
  /** False: nothing is stored. */
  insertLinked: (documents: readonly ChainDocument[]) => Promise<boolean>
  /** SERVICE_UNAVAILABLE if another process holds the chain for seconds. */
  chainEntries: (organizationId: string) => Promise<void>
  /** Does not wait: false if another process holds the chain. */
  tryChainEntries: (organizationId: string) => Promise<boolean>
  isFree: (organizationId: string) => Promise<boolean>
}

export interface Chain extends AuditChains {
  links: ChainLinks
}

const linkedAtOnce = 500
const earlierAtOnce = 1_000
const hint = 'by_seq'
// Entries do not arrive later than this: their place would be before the chain.
const lateWritesMs = 3_600_000

/** A missing field is null to MongoDB. */
const withoutSeq = { seq: null as unknown as number }

export async function createChain(
  db: mongo.Db,
  { audit, heads }: Pick<ChainedLog, 'audit' | 'heads'>,
  createOnce: (db: mongo.Db, name: string) => Promise<void>,
): Promise<void> {
  await db
    .collection(audit)
    .createIndexes([{ name: hint, key: { organizationId: 1, seq: 1, _id: 1 } }])
  await createOnce(db, heads)
}

export function openAuditChain(mongo: Mongo, log: ChainedLog, copyAll: () => Promise<void>): Chain {
  const linker = new Linker(mongo, log)
  const { getAudit, getHeads } = linker
  const toPlaced = (document: ChainDocument): PlacedAuditEntry => {
    const { _id, seq } = document
    const position = JSON.stringify([seq ?? null, _id.toString()])
    return { entry: log.toEntry(document), position }
  }
  const readLinked = async (organizationId: string, { seq, id, count }: Linked) => {
    const later = { seq, ...(id !== '' && { _id: { $gt: log.parseId(id) } }) }
    const filter = { organizationId, $or: [{ seq: { $gt: seq } }, later] }
    const sorted = { seq: 1, _id: 1 } as const
    const found = await mongo.read((db) =>
      getAudit(db).find(filter).sort(sorted).limit(count).toArray(),
    )
    return found.map(toPlaced)
  }
  return {
    links: linker,
    async completeAuditChains() {
      await copyAll()
      const heads = await mongo.read((db) =>
        getHeads(db)
          .find({}, { projection: { _id: 1 } })
          .toArray(),
      )
      for (const { _id } of heads) await linker.chainEntries(_id)
    },
    async listAuditHeads(after = '', count) {
      const heads = await mongo.read((db) =>
        getHeads(db)
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(count)
          .toArray(),
      )
      return heads.map(({ _id, seq, hash }) => ({ organizationId: _id, seq, hash }))
    },
    listHeadless: () =>
      mongo.read(async (db) => {
        const [organizations, heads] = await Promise.all([
          getAudit(db).distinct('organizationId'),
          getHeads(db).distinct('_id'),
        ])
        const known = new Set(heads)
        const headless: string[] = []
        for (const organizationId of organizations.filter((id) => !known.has(id))) {
          const numbered = { organizationId, seq: { $gte: 1 } }
          if (await getAudit(db).findOne(numbered)) headless.push(organizationId)
        }
        return headless
      }),
    async readAuditChain(organizationId, after, count) {
      const place = parsePlace(after)
      if (place.seq !== undefined) {
        return readLinked(organizationId, { seq: place.seq, id: place.id, count })
      }
      const head = await mongo.read((db) => getHeads(db).findOne({ _id: organizationId }))
      const range = { after: place.id, since: head?.since ?? '', count }
      const earlier = head ? await linker.readEarlier(organizationId, range) : []
      // A short page would be the last one: it goes on with the chain.
      const rest = { seq: 0, id: '', count: count - earlier.length }
      const linked = rest.count === 0 ? [] : await readLinked(organizationId, rest)
      return [...earlier.map(toPlaced), ...linked]
    },
    ...checkpointTurns(mongo, log),
  }
}

interface Linked {
  seq: number
  id: string
  count: number
}

interface Start {
  since: string
  earlier: EarlierEntries
}

interface Linking {
  organizationId: string
  start: Start | undefined
}

type LinkSome = (session: mongo.ClientSession) => Promise<boolean>

interface EarlierPage {
  after: string
  since: string
  count: number
}

class Linker implements ChainLinks {
  private readonly mongo: Mongo
  private readonly log: ChainedLog

  constructor(mongo: Mongo, log: ChainedLog) {
    this.mongo = mongo
    this.log = log
  }

  readonly getAudit = (db: mongo.Db) => db.collection<ChainDocument>(this.log.audit)
  readonly getHeads = (db: mongo.Db) => db.collection<AuditHeadDocument>(this.log.heads)

  insertLinked(documents: readonly ChainDocument[]): Promise<boolean> {
    return insertLinked(this.mongo, this.log, documents)
  }

  async chainEntries(organizationId: string): Promise<void> {
    const linking = await this.begin(organizationId)
    while (await this.chainSome(linking, (db, work) => inTransaction(db, 'The audit log', work)));
  }

  async tryChainEntries(organizationId: string): Promise<boolean> {
    const linking = await this.begin(organizationId)
    for (;;) {
      const more = await this.chainSome(linking, tryTransaction)
      if (more === 'held') return false
      if (!more) return true
    }
  }

  /** False if another process holds its head: writes it in a transaction that is then aborted. */
  async isFree(organizationId: string): Promise<boolean> {
    const touched = await this.mongo.write((db) =>
      tryTransaction(db, async (session) => {
        const touch = { $set: { touched: true } } as never
        const options = { session, upsert: true }
        await this.getHeads(db).updateOne({ _id: organizationId }, touch, options)
        await session.abortTransaction()
      }),
    )
    return touched !== 'held'
  }

  private async begin(organizationId: string): Promise<Linking> {
    const begun = await this.mongo.read((db) => this.getHeads(db).findOne({ _id: organizationId }))
    return { organizationId, start: begun ? undefined : await this.findStart(organizationId) }
  }

  readEarlier(
    organizationId: string,
    { after, since, count }: EarlierPage,
  ): Promise<ChainDocument[]> {
    const { parseId } = this.log
    const _id = { $lt: parseId(since), ...(after !== '' && { $gt: parseId(after) }) }
    const filter = { organizationId, ...withoutSeq, _id }
    return this.mongo.read((db) =>
      this.getAudit(db).find(filter, { hint }).sort({ _id: 1 }).limit(count).toArray(),
    )
  }

  /** Entries from before the chain do not change: read outside a transaction. */
  private async findStart(organizationId: string): Promise<Start> {
    const since = this.log.firstId(Date.now() - lateWritesMs)
    const earlier = new EarlierEntries(auditChainName(this.log.log, organizationId))
    let after = ''
    for (;;) {
      const range = { after, since, count: earlierAtOnce }
      const page = await this.readEarlier(organizationId, range)
      for (const document of page) earlier.add(this.log.toEntry(document))
      after = page.at(-1)?._id.toString() ?? after
      if (page.length < earlierAtOnce) return { since, earlier }
    }
  }

  /** Of two processes one is repeated, or held, by the head. True: there may be more. */
  private chainSome<Held>(
    linking: Linking,
    transact: (db: mongo.Db, work: LinkSome) => Promise<boolean | Held>,
  ): Promise<boolean | Held> {
    return this.mongo.write(async (db) => {
      try {
        return await transact(db, (session) => this.linkSome(db, session, linking))
      } catch (error) {
        // Both made the first head.
        if (isDuplicateKey(error)) return true
        throw error
      }
    })
  }

  private async linkSome(
    db: mongo.Db,
    session: mongo.ClientSession,
    { organizationId, start }: Linking,
  ): Promise<boolean> {
    const { parseId, toEntry, toDocument, mark } = this.log
    const [audit, heads] = [this.getAudit(db), this.getHeads(db)]
    const chain = auditChainName(this.log.log, organizationId)
    const head = await heads.findOne({ _id: organizationId }, { session })
    const since = head?.since ?? start?.since ?? ''
    const found = await audit
      .find({ organizationId, ...withoutSeq, _id: { $gte: parseId(since) } }, { session, hint })
      .sort({ _id: 1 })
      .limit(linkedAtOnce)
      .toArray()
    if (found.length === 0) return false
    let reached: ChainHead = head ?? emptyChain
    if (!head && start && start.earlier.count > 0) {
      const began = start.earlier.begin(new Date().toISOString())
      const link = linkEntry(chain, reached, began)
      await audit.insertOne({ ...toDocument(organizationId, began), ...link }, { session })
      reached = link
    }
    const updates = found.map((document) => {
      const link = linkEntry(chain, reached, toEntry(document))
      reached = link
      const update = { $set: link, ...(mark !== undefined && { $unset: { [mark]: 1 } }) }
      return { updateOne: { filter: { _id: document._id, ...withoutSeq }, update } }
    })
    const { seq, hash } = reached
    // First: of two transactions the second conflicts here, before it has written anything else.
    await advance(heads, session, { head, next: { _id: organizationId, seq, hash, since } })
    const { matchedCount } = await audit.bulkWrite(updates as never, { session, ordered: false })
    if (matchedCount !== found.length)
      throw new Error('entries of the audit log changed in the meantime')
    return found.length === linkedAtOnce
  }
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
  if (matchedCount !== 1) throw new Error('the head of the audit log changed in the meantime')
}

type CheckpointTurns = Pick<
  AuditChains,
  'takeCheckpointTurn' | 'readCheckpointState' | 'writeCheckpointState'
>

function checkpointTurns(mongo: Mongo, { heads }: ChainedLog): CheckpointTurns {
  const _id = 'checkpoint'
  const getState = (db: mongo.Db) => db.collection<CheckpointDocument>(`${heads}_checkpoint`)
  return {
    async takeCheckpointTurn({ now, until, held = now }) {
      const isFree = {
        _id,
        $or: [
          { takenUntil: { $exists: false } },
          { takenUntil: { $lte: now } },
          { takenUntil: held },
        ],
      }
      try {
        await mongo.write((db) =>
          getState(db).updateOne(
            isFree as never,
            { $set: { takenUntil: until } },
            { upsert: true },
          ),
        )
        return true
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },
    async readCheckpointState() {
      const found = await mongo.read((db) => getState(db).findOne({ _id }))
      return found?.at === undefined ? undefined : { date: found.date, at: found.at }
    },
    async writeCheckpointState({ date, at }) {
      const change = { $set: { at, ...(date !== undefined && { date }) } }
      const earlier = date === undefined ? [] : [{ date: { $lt: date } }]
      const isEarlier = { _id, $or: [{ date: { $exists: false } }, ...earlier] }
      try {
        await mongo.write((db) =>
          getState(db).updateOne(isEarlier as never, change, { upsert: true }),
        )
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
      }
    },
  }
}

function parsePlace(position: string | undefined): { seq: number | undefined; id: string } {
  if (position === undefined) return { seq: undefined, id: '' }
  const [seq, id] = JSON.parse(position) as [number | null, string]
  return { seq: seq ?? undefined, id }
}
