/**
 * Each process first does what it wrote itself. Work that others may take too is claimed by moving
 * its next attempt into the future: if the process dies, others take it then.
 */

import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import {
  archiveIndexes,
  getInvoiceCollection,
  type InvoiceDocument,
  type PendingArchive,
} from './schema'
import type { Writer } from './pending-work'
import type {
  ArchiveDeadLetter,
  ArchivePart,
  ArchiveWork,
  DueWork,
  InvoiceStore,
  Position,
} from '../store'

type Work = Pick<
  InvoiceStore,
  | 'takeArchiveWork'
  | 'finishArchiveWork'
  | 'postponeArchiveWork'
  | 'buryArchiveWork'
  | 'listArchiveDeadLetters'
  | 'reviveArchiveWork'
>

// More would wait for a connection past their deadline.
const claimsAtOnce = 50

const archiveParts: readonly ArchivePart[] = ['signed-xml', 'final']

interface Found {
  work: ArchiveWork
  pending: PendingArchive
}

export function archiveWork(mongo: Mongo, writer: Writer): Work {
  return { ...taking(mongo, writer), ...settling(mongo), ...deadLetters(mongo, writer) }
}

function taking(mongo: Mongo, writer: Writer): Pick<Work, 'takeArchiveWork'> {
  const findPart = async (part: ArchivePart, due: DueWork, after: string): Promise<Found[]> => {
    const field = `unarchived.${part}`
    const found = await mongo.read((db) =>
      getInvoiceCollection(db)
        .find(dueFilter(field, { ...due, after }, writer), {
          projection: { organizationId: 1, [field]: 1 },
          hint: archiveIndexes[part].turns,
        })
        .sort({ organizationId: 1, [`${field}.nextAttemptAt`]: 1, [`${field}.position`]: 1 })
        .limit(due.count)
        .toArray(),
    )
    return found.flatMap((document) => foundIn(document, part))
  }
  const findAfter = async (due: DueWork, after: string): Promise<Found[]> => {
    const parts = await Promise.all(archiveParts.map((part) => findPart(part, due, after)))
    return firstOrganization(parts.flat()).slice(0, due.count)
  }
  const claim = async ({ work, pending }: Found, leaseUntil: string): Promise<boolean> => {
    if (writer.isOursAlone(pending)) return true
    const field = `unarchived.${work.part}`
    const seen = pending.nextAttemptAt ?? null
    const { matchedCount } = await mongo.write((db) =>
      getInvoiceCollection(db).updateOne(
        { ...whereStill(work), [`${field}.nextAttemptAt`]: seen },
        { $set: { [`${field}.nextAttemptAt`]: leaseUntil } },
      ),
    )
    return matchedCount === 1
  }

  return {
    async takeArchiveWork(due) {
      let { after } = due
      for (let isWrapped = false; ;) {
        const found = await findAfter(due, after)
        const organizationId = found[0]?.work.organizationId
        if (organizationId === undefined) {
          if (isWrapped || after === '') return []
          isWrapped = true
          after = ''
          continue
        }
        const claimed: ArchiveWork[] = []
        for (let first = 0; first < found.length; first += claimsAtOnce) {
          const some = found.slice(first, first + claimsAtOnce)
          const claims = await Promise.all(some.map((one) => claim(one, due.leaseUntil)))
          for (const [index, { work }] of some.entries()) if (claims[index]) claimed.push(work)
        }
        if (claimed.length > 0) return claimed
        after = organizationId
      }
    },
  }
}

function dueFilter(field: string, due: DueWork, writer: Writer): mongo.Filter<InvoiceDocument> {
  const { after, except, underway, now, horizon } = due
  return {
    organizationId: { $gt: after, $nin: except },
    [`${field}.position`]: { $exists: true, $nin: underway },
    [`${field}.nextAttemptAt`]: { $not: { $gt: now, $lte: horizon } },
    ...writer.oursOrLeft(field),
  }
}

type FoundDocument = Pick<InvoiceDocument, '_id' | 'organizationId' | 'unarchived'>

function foundIn({ _id, organizationId, unarchived }: FoundDocument, part: ArchivePart): Found[] {
  const pending = unarchived?.[part]
  if (!pending) return []
  const { position, attempts = 0 } = pending
  return [{ pending, work: { position, organizationId, invoiceId: _id, part, attempts } }]
}

function firstOrganization(found: readonly Found[]): Found[] {
  const [first] = found.map(({ work }) => work.organizationId).sort()
  const turn = ({ work, pending }: Found) => `${pending.nextAttemptAt ?? ''} ${work.position}`
  return found
    .filter(({ work }) => work.organizationId === first)
    .sort((a, b) => (turn(a) < turn(b) ? -1 : 1))
}

function whereStill({ invoiceId, organizationId, part, position }: ArchiveWork) {
  return { _id: invoiceId, organizationId, [`unarchived.${part}.position`]: position }
}

type Settling = Pick<Work, 'finishArchiveWork' | 'postponeArchiveWork' | 'buryArchiveWork'>

function settling(mongo: Mongo): Settling {
  const settle = (work: ArchiveWork, update: mongo.UpdateFilter<InvoiceDocument>) =>
    mongo.write((db) => getInvoiceCollection(db).updateOne(whereStill(work), update))
  return {
    async finishArchiveWork(work) {
      const isXml = work.part === 'signed-xml'
      await settle(work, { $unset: { [`unarchived.${work.part}`]: 1, ...(isXml && { xml: 1 }) } })
    },
    async postponeArchiveWork(work, { attempts, nextAttemptAt }) {
      const field = `unarchived.${work.part}`
      const noted = { [`${field}.attempts`]: attempts, [`${field}.nextAttemptAt`]: nextAttemptAt }
      await settle(work, { $set: noted })
    },
    async buryArchiveWork(work, { attempts, at, error }) {
      const letter = { position: work.position, attempts, at, error }
      await settle(work, {
        $unset: { [`unarchived.${work.part}`]: 1 },
        $set: { [`archiveDead.${work.part}`]: letter },
      })
    },
  }
}

function deadLetters(
  mongo: Mongo,
  writer: Writer,
): Pick<Work, 'listArchiveDeadLetters' | 'reviveArchiveWork'> {
  const listPart = async (part: ArchivePart, after: Position, count: number) => {
    const field = `archiveDead.${part}`
    const found = await mongo.read((db) =>
      getInvoiceCollection(db)
        .find(
          { [`${field}.position`]: { $gt: after } },
          {
            projection: { organizationId: 1, archiveDead: 1 },
            hint: archiveIndexes[part].dead,
          },
        )
        .sort({ [`${field}.position`]: 1 })
        .limit(count)
        .toArray(),
    )
    return found.flatMap(({ _id, organizationId, archiveDead }): ArchiveDeadLetter[] => {
      const letter = archiveDead?.[part]
      return letter ? [{ ...letter, organizationId, invoiceId: _id, part }] : []
    })
  }

  return {
    async listArchiveDeadLetters(after = '', count) {
      const parts = await Promise.all(archiveParts.map((part) => listPart(part, after, count)))
      const ordered = parts.flat().sort((a, b) => (a.position < b.position ? -1 : 1))
      return ordered.slice(0, count)
    },
    async reviveArchiveWork({ invoiceId, organizationId, part, position }) {
      const field = `archiveDead.${part}`
      const { writer: writtenBy } = writer.pending()
      const { matchedCount } = await mongo.write((db) =>
        getInvoiceCollection(db).updateOne(
          { _id: invoiceId, organizationId, [`${field}.position`]: position },
          {
            $unset: { [field]: 1 },
            $set: { [`unarchived.${part}`]: { position, writer: writtenBy } },
          },
        ),
      )
      return matchedCount === 1
    },
  }
}
