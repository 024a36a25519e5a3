/**
 * Counts in the background: the row, the counts and a numbered change are one transaction, so that
 * every process can follow. A write of any version removes the invoice's mark, so uncounted
 * invoices can be found, and lists add them (docs/decisions/0052).
 */

import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { Mongo } from '@einvoicing/stores/mongo'
import { tryTransaction } from '@einvoicing/stores/mongo-transaction'
import type { mongo } from 'mongoose'
import { startLoop } from '@einvoicing/runtime/loop'
import { changeProjection, toChange, uncounted, type CountedChange } from './counted-row'
import { readCounted } from './list-snapshot'
import { getCounted, getInvoiceCollection, getListChanges, getListCounts } from './schema'

const pauseMs = 500
const atOnceMax = 500
/** What was written just now is often written again soon. */
const settledMs = 1_000
/** After a list, for so long also while invoices are written. */
const wantedMs = 10_000
/** Smaller organizations are read without marks. */
export const unmarkedMax = 1_000
const sequencesStored = 500
const pruneEvery = 100

export interface ListCounting {
  noteWrite(): void
  noteList(): void
  close(): Promise<void>
}

/** Creations are not slowed down: it counts when idle, or when lists need it. */
export function startListCounting(mongo: Mongo, now: Clock, log: Log): ListCounting {
  let size = atOnceMax
  let writes = 0
  let writesBefore = 0
  let listedAt = -Infinity
  const isWanted = () => {
    const isIdle = writes === writesBefore
    writesBefore = writes
    return isIdle || performance.now() - listedAt < wantedMs
  }
  const loop = startLoop({ name: 'list-counts', pauseMs, log }, async (closing) => {
    while (!closing() && isWanted()) {
      const before = new Date(now().getTime() - settledMs).toISOString()
      const counted = await countSome(mongo, { before, size })
      if (counted === 'held') {
        // Another process counts too: a smaller transaction may succeed.
        size = Math.max(1, size >> 1)
        return
      }
      const isLast = counted < size
      size = atOnceMax
      if (isLast) return
    }
  })
  return {
    noteWrite: () => void (writes += 1),
    noteList: () => void (listedAt = performance.now()),
    close: () => loop.close(),
  }
}

interface Batch {
  /** Last change, ISO 8601. */
  before: string
  size: number
}

async function countSome(mongo: Mongo, { before, size }: Batch): Promise<number | 'held'> {
  const found = await mongo.read((db) =>
    getInvoiceCollection(db)
      .find(
        { ...uncounted, organizationId: { $gte: '' }, 'invoice.updatedAt': { $lte: before } },
        { projection: { _id: 1 }, hint: 'uncounted' },
      )
      .limit(size)
      .toArray(),
  )
  if (found.length === 0) return 0
  const ids = found.map(({ _id }) => _id)
  const done = await mongo.write((db) =>
    tryTransaction(db, (session) => count(db, { ids, session })),
  )
  if (done === 'held') return 'held'
  await mongo.write((db) => markCounted(db, done.changes))
  for (const [organizationId, sequence] of done.sequences) {
    if (sequence % pruneEvery === 0) await prune(mongo, organizationId, sequence)
  }
  return found.length
}

interface Counting {
  ids: string[]
  session: mongo.ClientSession
}

interface Counted {
  changes: CountedChange[]
  sequences: Map<string, number>
}

async function count(db: mongo.Db, { ids, session }: Counting): Promise<Counted> {
  const filter = { _id: { $in: ids } }
  const found = await getInvoiceCollection(db)
    .find({ ...filter, ...uncounted }, { projection: changeProjection, session })
    .toArray()
  const before = await readCounted(db, ids, { session })
  const changes = found.map((document) => toChange(document, before.get(document._id)))
  const fresh = changes.filter((change) => !isCounted(change))
  if (fresh.length > 0) {
    const rows = fresh.map(({ id, after }) => ({
      replaceOne: { filter: { _id: id }, replacement: after, upsert: true },
    }))
    await getCounted(db).bulkWrite(rows, { session, ordered: false })
  }
  const organizations = new Map(found.map(({ _id, organizationId }) => [_id, organizationId]))
  const byOrganization = new Map<string, CountedChange[]>()
  for (const change of fresh) {
    const organizationId = organizations.get(change.id) as string
    const others = byOrganization.get(organizationId)
    if (others) others.push(change)
    else byOrganization.set(organizationId, [change])
  }
  return { changes, sequences: await addCounts(db, byOrganization, session) }
}

/** A process was killed between counting and marking. */
function isCounted({ before, after }: CountedChange): boolean {
  return before?.updatedAt === after.updatedAt && before.status === after.status
}

/** Marks only the version that was counted; others are counted again. */
async function markCounted(db: mongo.Db, changes: readonly CountedChange[]): Promise<void> {
  if (changes.length === 0) return
  const updates = changes.map(({ id, after: { status, updatedAt } }) => ({
    updateOne: {
      filter: { _id: id, 'invoice.status': status, 'invoice.updatedAt': updatedAt },
      update: { $set: { 'order.counted': true } } as const,
    },
  }))
  await getInvoiceCollection(db).bulkWrite(updates, { ordered: false })
}

async function addCounts(
  db: mongo.Db,
  byOrganization: ReadonlyMap<string, CountedChange[]>,
  session: mongo.ClientSession,
): Promise<Map<string, number>> {
  if (byOrganization.size === 0) return new Map()
  const before = await getListCounts(db)
    .find({ _id: { $in: [...byOrganization.keys()] } }, { session })
    .toArray()
  const known = new Map(before.map((counts) => [counts._id, counts]))
  const added = [...byOrganization].map(([organizationId, changes]) => {
    const { sequence = 0, counts = {} } = known.get(organizationId) ?? {}
    const total = Object.values(counts).reduce((sum, count) => sum + count, changes.length)
    return { organizationId, changes, sequence: sequence + 1, total }
  })
  await getListCounts(db).bulkWrite(
    added.map(({ organizationId, changes, sequence }) => ({
      updateOne: {
        filter: { _id: organizationId },
        update: { $set: { sequence }, $inc: sumByStatus(changes) },
        upsert: true,
      },
    })),
    { session },
  )
  const toStore = added.filter(({ total }) => total > unmarkedMax)
  if (toStore.length > 0) {
    await getListChanges(db).insertMany(
      toStore.map(({ total: _total, ...stored }) => stored),
      { session },
    )
  }
  return new Map(added.map(({ organizationId, sequence }) => [organizationId, sequence]))
}

function sumByStatus(changes: readonly CountedChange[]): Record<string, number> {
  const sums: Record<string, number> = {}
  const add = (status: string, count: number) => {
    sums[`counts.${status}`] = (sums[`counts.${status}`] ?? 0) + count
  }
  for (const { before, after } of changes) {
    if (before) add(before.status, -1)
    add(after.status, 1)
  }
  return sums
}

/** A process that knows only older changes reads its order again. */
async function prune(mongo: Mongo, organizationId: string, sequence: number): Promise<void> {
  const old = { organizationId, sequence: { $lte: sequence - sequencesStored } }
  await mongo.write((db) => getListChanges(db).deleteMany(old))
}
