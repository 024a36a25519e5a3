/** The stored counts, and queries that walk one index each and read no invoice. */

import type { Mongo } from '@einvoicing/stores/mongo'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import { zeroCounts } from '../counts'
import { addUncounted, inSnapshot } from './list-snapshot'
import { getInvoiceCollection, orderIndexes, typeIndex, type InvoiceDocument } from './schema'
import type { HourTotals, InvoiceStore, OrganizationOverview } from '../store'

type Invoices = mongo.Collection<InvoiceDocument>

// A reply is decoded at once; a large one would delay creations.
const batchSize = 1_000

const notCounted = ['PENDING', 'CANCELLED']

export function overviewReads(mongo: Mongo): Pick<InvoiceStore, 'readOrganizationOverview'> {
  return {
    readOrganizationOverview: (organizationId, since) =>
      mongo.read(async (db) => {
        const invoices = getInvoiceCollection(db)
        const created = { organizationId, 'invoice.createdAt': { $gte: since } }
        const changed = { organizationId, 'invoice.updatedAt': { $gte: since } }
        const notes = { ...created, 'invoice.type': 'CREDIT_NOTE' }
        const [statuses, hours, noteHours, decisions] = await Promise.all([
          readStatuses(mongo, organizationId),
          sumHours(invoices, created, orderIndexes.createdAt),
          sumHours(invoices, notes, typeIndex),
          countDecisions(invoices, changed),
        ])
        return { statuses, hours: subtract(hours, noteHours), ...decisions }
      }),
  }
}

type Statuses = OrganizationOverview['statuses']

async function readStatuses(mongo: Mongo, organizationId: string): Promise<Statuses> {
  const stored = await inSnapshot(mongo, async (snapshot) => {
    const { statuses } = await snapshot.readCounts(organizationId)
    const uncounted = await snapshot.readUncounted(organizationId)
    return uncounted === 'too-many' ? undefined : addUncounted(statuses, uncounted)
  })
  if (stored) return { ...zeroCounts(), ...Object.fromEntries(stored) }
  return mongo.read((db) => countStatuses(getInvoiceCollection(db), organizationId))
}

async function countStatuses(invoices: Invoices, organizationId: string): Promise<Statuses> {
  const counts = zeroCounts()
  const found = invoices.aggregate<{ _id: InvoiceStatus; count: number }>(
    [{ $match: { organizationId } }, { $group: { _id: '$invoice.status', count: { $sum: 1 } } }],
    { hint: orderIndexes.status },
  )
  for await (const { _id: status, count } of found) counts[status] = count
  return counts
}

type Sums = Omit<HourTotals, 'creditNotes'>

function sumHours(invoices: Invoices, created: object, hint: string): Promise<Sums[]> {
  const amount = { $cond: [{ $in: ['$invoice.status', notCounted] }, 0, '$invoice.amountTtc'] }
  return invoices
    .aggregate<Sums>(
      [
        { $match: created },
        {
          $group: {
            _id: {
              hour: { $substrBytes: ['$invoice.createdAt', 0, 13] },
              currency: '$invoice.currency',
            },
            invoices: { $sum: 1 },
            amountTtc: { $sum: amount },
          },
        },
        {
          $project: {
            _id: 0,
            hour: '$_id.hour',
            currency: '$_id.currency',
            invoices: 1,
            amountTtc: 1,
          },
        },
      ],
      { hint, batchSize },
    )
    .toArray()
}

function subtract(all: readonly Sums[], notes: readonly Sums[]): HourTotals[] {
  const toKey = ({ hour, currency }: Sums) => `${hour} ${currency}`
  const byKey = new Map(notes.map((sums) => [toKey(sums), sums]))
  return all.map((sums) => {
    const credited = byKey.get(toKey(sums))
    if (!credited) return { ...sums, creditNotes: 0 }
    const { invoices: creditNotes, amountTtc } = credited
    // A credit note created between the two reads is in one of them only.
    const invoices = Math.max(0, sums.invoices - creditNotes)
    return { ...sums, invoices, creditNotes, amountTtc: sums.amountTtc - 2 * amountTtc }
  })
}

/** Fields missing in an index are null. */
interface Decided {
  ms: number | null
  errorCode: string | null
  isRejected: boolean
  count: number
}

async function countDecisions(
  invoices: Invoices,
  changed: object,
): Promise<Pick<OrganizationOverview, 'durations' | 'rejections'>> {
  const decided = await invoices
    .aggregate<Decided>(
      [
        { $match: { ...changed, 'invoice.status': { $in: ['ACCEPTED', 'REJECTED'] } } },
        {
          $group: {
            _id: {
              ms: '$clearanceMs',
              errorCode: '$invoice.dgiErrorCode',
              status: '$invoice.status',
            },
            count: { $sum: 1 },
          },
        },
        {
          $project: {
            _id: 0,
            ms: '$_id.ms',
            errorCode: '$_id.errorCode',
            isRejected: { $eq: ['$_id.status', 'REJECTED'] },
            count: 1,
          },
        },
      ],
      { hint: orderIndexes.updatedAt, batchSize },
    )
    .toArray()
  const durations = new Map<number, number>()
  const rejections = new Map<string, number>()
  for (const { ms, errorCode, isRejected, count } of decided) {
    if (ms !== null) add(durations, ms, count)
    if (isRejected) add(rejections, errorCode ?? '', count)
  }
  return {
    durations: [...durations].map(([ms, count]) => ({ ms, count })),
    rejections: [...rejections].map(([errorCode, count]) => ({ errorCode, count })),
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
