import type { Mongo } from '@einvoicing/stores/mongo'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import mongoose, { type mongo } from 'mongoose'
import {
  changeProjection,
  toChange,
  uncounted,
  type CountedChange,
  type CountedRow,
} from './counted-row'
import {
  getCounted,
  getInvoiceCollection,
  getListChanges,
  getListCounts,
  type InvoiceDocument,
} from './schema'

/** With more uncounted invoices, a list counts them by itself. */
const uncountedMax = 2_000
const attempts = 3
/** SnapshotUnavailable, after an index was made, and SnapshotTooOld. */
const snapshotErrors: readonly unknown[] = [246, 239]

export type StatusCounts = ReadonlyMap<InvoiceStatus, number>

export interface Counts {
  sequence: number
  statuses: StatusCounts
}

type Read<T> = (invoices: mongo.Collection<InvoiceDocument>, options: ReadOptions) => Promise<T>

interface ReadOptions {
  session: mongo.ClientSession
  readConcern: { level: 'snapshot' }
}

/** All reads see one moment, that of the first read. */
export class ListSnapshot {
  private readonly mongo: Mongo
  private readonly options: ReadOptions

  constructor(mongo: Mongo, session: mongo.ClientSession) {
    this.mongo = mongo
    this.options = { session, readConcern: { level: 'snapshot' } }
  }

  read<T>(work: Read<T>): Promise<T> {
    return this.mongo.read((db) => work(getInvoiceCollection(db), this.options))
  }

  async readCounts(organizationId: string): Promise<Counts> {
    const found = await this.mongo.read((db) =>
      getListCounts(db).findOne({ _id: organizationId }, this.options),
    )
    const counts = Object.entries(found?.counts ?? {}) as [InvoiceStatus, number][]
    return { sequence: found?.sequence ?? 0, statuses: new Map(counts) }
  }

  async readUncounted(organizationId: string): Promise<CountedChange[] | 'too-many'> {
    const found = await this.read((invoices, options) =>
      invoices
        .find(
          { organizationId, ...uncounted },
          { ...options, projection: changeProjection, hint: 'uncounted' },
        )
        .limit(uncountedMax + 1)
        .toArray(),
    )
    if (found.length > uncountedMax) return 'too-many'
    if (found.length === 0) return []
    const ids = found.map(({ _id }) => _id)
    const before = await this.mongo.read((db) => readCounted(db, ids, this.options))
    return found.map((document) => toChange(document, before.get(document._id)))
  }

  /** `undefined` when they are no longer stored. */
  async readChanges(
    organizationId: string,
    { after, until }: { after: number; until: number },
  ): Promise<CountedChange[] | undefined> {
    if (after === until) return []
    if (after > until) return undefined
    const found = await this.mongo.read((db) =>
      getListChanges(db)
        .find({ organizationId, sequence: { $gt: after, $lte: until } }, this.options)
        .sort({ sequence: 1 })
        .limit(changesMax)
        .toArray(),
    )
    if (found.length !== until - after) return undefined
    return found.flatMap(({ changes }) => changes)
  }
}

/** The last counted rows, by invoice. */
export async function readCounted(
  db: mongo.Db,
  ids: readonly string[],
  options: mongo.FindOptions,
): Promise<Map<string, CountedRow>> {
  const found = await getCounted(db)
    .find({ _id: { $in: [...ids] } }, { ...options, batchSize: 5_000 })
    .toArray()
  return new Map(found.map(({ _id, ...row }) => [_id, row]))
}

/** For more changes, reading the order again costs less. */
const changesMax = 200

export async function inSnapshot<T>(
  mongo: Mongo,
  work: (snapshot: ListSnapshot) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await mongo.read((db) => Promise.resolve(db.client))
    const session = client.startSession({ snapshot: true })
    try {
      return await work(new ListSnapshot(mongo, session))
    } catch (error) {
      if (attempt === attempts || !isSnapshotError(error)) throw error
    } finally {
      await session.endSession()
    }
  }
}

function isSnapshotError(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return [error, cause].some(
    (one) => one instanceof mongoose.mongo.MongoServerError && snapshotErrors.includes(one.code),
  )
}

export function addUncounted(
  counted: StatusCounts,
  changes: readonly CountedChange[],
): StatusCounts {
  const counts = new Map(counted)
  const add = (status: InvoiceStatus, count: number) =>
    counts.set(status, (counts.get(status) ?? 0) + count)
  for (const { before, after } of changes) {
    if (before) add(before.status, -1)
    add(after.status, 1)
  }
  return counts
}

export function sumCounts(counts: StatusCounts, status: InvoiceStatus | undefined): number {
  if (status !== undefined) return counts.get(status) ?? 0
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
