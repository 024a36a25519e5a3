/** Reads indexes only. */

import type { Mongo } from '@einvoicing/stores/mongo'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import { readUuidMoment } from '../../uuid-moment'
import { completeCounts } from '../counts'
import { getInvoiceCollection, notAcceptedStatuses, type InvoiceDocument } from './schema'
import {
  archiveIndexes,
  firstEvidenceIndex,
  rejectedOriginals,
  rejectedOriginalsIndex,
  renewalIndex,
} from './work-indexes'
import { backlogCountMax, type Backlog, type InvoiceStore } from '../store'

export function statistics(mongo: Mongo): Pick<InvoiceStore, 'backlogs' | 'countByStatus'> {
  const backlog = (field: string, hint: string, filter: Filter = {}) =>
    mongo.read((db) => readBacklog(getInvoiceCollection(db), { field, hint, filter }))
  // `null` also matches no field, and is read from the index; `$exists` would not be.
  const firstEvidence = () =>
    backlog('unarchived.evidence', firstEvidenceIndex.name, { 'evidence.renewBy': null })
  /** By hand, before its renewal is due. The oldest of them would have to be searched. */
  const requestedEvidence = async () => {
    const early = { 'evidence.renewBy': { $gt: new Date().toISOString() } }
    const waiting = { ...early, 'unarchived.evidence.position': { $gt: '' } }
    const options = { hint: firstEvidenceIndex.name, limit: backlogCountMax }
    const count = await mongo.read((db) =>
      getInvoiceCollection(db).countDocuments(waiting, options),
    )
    return { count, oldest: undefined }
  }
  return {
    async backlogs() {
      const [outbox, xml, final, timeStamps, evidence, requested, renewals, deadXml, deadFinal] =
        await Promise.all([
          backlog('outgoing', 'outgoing'),
          backlog('unarchived.signed-xml', 'unarchived_xml'),
          backlog('unarchived.final', 'unarchived_final'),
          backlog('unarchived.time-stamp', 'time_stamp'),
          firstEvidence(),
          requestedEvidence(),
          mongo.read((db) => readRenewals(getInvoiceCollection(db))),
          backlog('archiveDead.signed-xml', archiveIndexes['signed-xml'].dead),
          backlog('archiveDead.final', archiveIndexes.final.dead),
        ])
      return {
        outbox,
        archive: together(xml, final),
        timeStamps,
        evidence: together(evidence, requested),
        renewals,
        archiveDeadLetters: together(deadXml, deadFinal),
      }
    },
    countByStatus: () =>
      mongo.read(async (db) => {
        const invoices = getInvoiceCollection(db)
        const counted = await invoices
          .aggregate<{ status: InvoiceStatus; count: number }>(
            [
              { $match: { 'invoice.status': { $in: notAcceptedStatuses } } },
              { $group: { _id: '$invoice.status', count: { $sum: 1 } } },
              { $project: { _id: 0, status: '$_id', count: 1 } },
            ],
            { hint: 'not_accepted' },
          )
          .toArray()
        const hint = rejectedOriginalsIndex.name
        const failed = await invoices.countDocuments(rejectedOriginals, { hint })
        return completeCounts(counted, await invoices.estimatedDocumentCount(), failed)
      }),
  }
}

type Filter = mongo.Filter<InvoiceDocument>

interface Queued {
  field: string
  hint: string
  filter: Filter
}

async function readBacklog(
  invoices: mongo.Collection<InvoiceDocument>,
  { field, hint, filter }: Queued,
): Promise<Backlog> {
  const position = `${field}.position`
  const waiting = { ...filter, [position]: { $gt: '' } }
  const [count, [first]] = await Promise.all([
    invoices.countDocuments(waiting, { hint, limit: backlogCountMax }),
    invoices
      .aggregate<{ position: string }>(
        [
          { $match: waiting },
          { $sort: { [position]: 1 } },
          { $limit: 1 },
          { $project: { _id: 0, position: `$${position}` } },
        ],
        { hint },
      )
      .toArray(),
  ])
  return { count, oldest: first && readUuidMoment(first.position) }
}

async function readRenewals(invoices: mongo.Collection<InvoiceDocument>): Promise<Backlog> {
  const due = { 'evidence.renewBy': { $lte: new Date().toISOString() } }
  const [count, [first]] = await Promise.all([
    invoices.countDocuments(due, { hint: renewalIndex, limit: backlogCountMax }),
    invoices
      .aggregate<{ renewBy: string }>(
        [
          { $match: due },
          { $sort: { 'evidence.renewBy': 1 } },
          { $limit: 1 },
          { $project: { _id: 0, renewBy: '$evidence.renewBy' } },
        ],
        { hint: renewalIndex },
      )
      .toArray(),
  ])
  return { count, oldest: first?.renewBy }
}

function together(one: Backlog, other: Backlog): Backlog {
  const [oldest] = [one.oldest, other.oldest].filter((moment) => moment !== undefined).sort()
  return { count: Math.min(backlogCountMax, one.count + other.count), oldest }
}
