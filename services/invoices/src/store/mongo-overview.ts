/** An organization's figures by MongoDB; each walks one index. */

import type { Mongo } from '@einvoicing/kernel/mongo'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import { zeroCounts } from './counts'
import { invoicesOf, orderIndexes, type InvoiceDocument } from './mongo-schema'
import type { InvoiceStore, OrganizationFigures } from './store'

type Invoices = mongo.Collection<InvoiceDocument>

// A reply is decoded at once, and creations shall not wait for a long one.
const batchSize = 1_000

const notCounted = ['PENDING', 'CANCELLED']

export function organizationFigures(server: Mongo): Pick<InvoiceStore, 'figuresOf'> {
  return {
    figuresOf: (organizationId, since) =>
      server.read(async (db) => {
        const invoices = invoicesOf(db)
        const created = { organizationId, 'invoice.createdAt': { $gte: since } }
        const changed = { organizationId, 'invoice.updatedAt': { $gte: since } }
        const [statuses, hours, durations, rejections] = await Promise.all([
          countStatuses(invoices, organizationId),
          sumHours(invoices, created),
          countDurations(invoices, changed),
          countRejections(invoices, changed),
        ])
        return { statuses, hours, durations, rejections }
      }),
  }
}

async function countStatuses(
  invoices: Invoices,
  organizationId: string,
): Promise<OrganizationFigures['statuses']> {
  const counts = zeroCounts()
  const found = invoices.aggregate<{ _id: InvoiceStatus; count: number }>(
    [{ $match: { organizationId } }, { $group: { _id: '$invoice.status', count: { $sum: 1 } } }],
    { hint: orderIndexes.status },
  )
  for await (const { _id: status, count } of found) counts[status] = count
  return counts
}

function sumHours(invoices: Invoices, created: object): Promise<OrganizationFigures['hours']> {
  const amount = { $cond: [{ $in: ['$invoice.status', notCounted] }, 0, '$invoice.amountTtc'] }
  return invoices
    .aggregate<OrganizationFigures['hours'][number]>(
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
      { hint: orderIndexes.createdAt, batchSize },
    )
    .toArray()
}

function countDurations(
  invoices: Invoices,
  changed: object,
): Promise<OrganizationFigures['durations']> {
  const decided = { ...changed, 'invoice.status': { $in: ['ACCEPTED', 'REJECTED'] } }
  const lasted = {
    $subtract: [{ $toDate: '$invoice.updatedAt' }, { $toDate: '$invoice.signedAt' }],
  }
  return invoices
    .aggregate<OrganizationFigures['durations'][number]>(
      [
        { $match: { ...decided, 'invoice.signedAt': { $type: 'string' } } },
        { $group: { _id: { $max: [0, lasted] }, count: { $sum: 1 } } },
        { $project: { _id: 0, ms: '$_id', count: 1 } },
      ],
      { hint: orderIndexes.updatedAt, batchSize },
    )
    .toArray()
}

function countRejections(
  invoices: Invoices,
  changed: object,
): Promise<OrganizationFigures['rejections']> {
  return invoices
    .aggregate<OrganizationFigures['rejections'][number]>(
      [
        { $match: { ...changed, 'invoice.status': 'REJECTED' } },
        { $group: { _id: { $ifNull: ['$invoice.dgiErrorCode', ''] }, count: { $sum: 1 } } },
        { $project: { _id: 0, errorCode: '$_id', count: 1 } },
      ],
      { hint: orderIndexes.updatedAt, batchSize },
    )
    .toArray()
}
