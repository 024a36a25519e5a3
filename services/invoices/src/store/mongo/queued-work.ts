/**
 * Each process first does what it wrote itself. Taking work moves its next attempt into the future:
 * if the process dies, others take it then.
 */

import type { Mongo } from '@einvoicing/stores/mongo'
import mongoose, { type mongo } from 'mongoose'
import { getInvoiceCollection, type InvoiceDocument, type PendingWork } from './schema'
import { fulfilled, Grouped } from './grouped'
import type { Writer } from './writer'
import { archiveIndexes, turnsIndexes } from './work-indexes'
import {
  queueByPart,
  type ArchiveDeadLetter,
  type ArchivePart,
  type QueuedWork,
  type DueWork,
  type InvoiceStore,
  type Position,
  type WorkPart,
} from '../store'

type Work = Pick<
  InvoiceStore,
  | 'takeWork'
  | 'finishWork'
  | 'keepTimeStamp'
  | 'keepEvidence'
  | 'postponeWork'
  | 'buryArchiveWork'
  | 'listArchiveDeadLetters'
  | 'reviveArchiveWork'
>

const workParts = Object.keys(queueByPart) as WorkPart[]
const isArchivePart = (part: WorkPart): part is ArchivePart => queueByPart[part] === 'archive'
const archiveParts = workParts.filter(isArchivePart)

interface Found {
  work: QueuedWork
  pending: PendingWork
}

export function queuedWork(mongo: Mongo, writer: Writer): Work {
  return { ...taking(mongo, writer), ...settling(mongo, writer), ...deadLetters(mongo, writer) }
}

interface Search {
  after: string
  nextAttemptAt: mongo.FilterOperators<string>
}

/** One search for both moments would read all that waits between them, and not only the index. */
function listSearches({ after, now, horizon }: DueWork): Search[] {
  const isDue = { $not: { $gt: now } }
  const searches: Search[] = [{ after, nextAttemptAt: isDue }]
  if (after !== '') searches.push({ after: '', nextAttemptAt: isDue })
  if (horizon !== undefined) searches.push({ after: '', nextAttemptAt: { $gt: horizon } })
  return searches
}

function taking(mongo: Mongo, writer: Writer): Pick<Work, 'takeWork'> {
  const findPart = async (part: WorkPart, due: DueWork, search: Search): Promise<Found[]> => {
    const field = `unarchived.${part}`
    const found = await mongo.read((db) =>
      getInvoiceCollection(db)
        .find(dueFilter(field, { ...due, ...search }, writer), {
          projection: { organizationId: 1, [field]: 1 },
          hint: turnsIndexes[part],
        })
        .sort({ organizationId: 1, [`${field}.nextAttemptAt`]: 1, [`${field}.position`]: 1 })
        .limit(due.count)
        .toArray(),
    )
    return found.flatMap((document) => foundIn(document, part))
  }
  const find = async (due: DueWork, search: Search): Promise<Found[]> => {
    const parts = workParts.filter((part) => queueByPart[part] === due.queue)
    const found = await Promise.all(parts.map((part) => findPart(part, due, search)))
    return firstOrganization(found.flat()).slice(0, due.count)
  }
  /** Organizations whose work other processes took are passed over. */
  const take = async (due: DueWork, search: Search): Promise<QueuedWork[]> => {
    for (let { after } = search; ;) {
      const found = await find(due, { ...search, after })
      const organizationId = found[0]?.work.organizationId
      if (organizationId === undefined) return []
      const claimed = await claim(mongo, writer, { found, due })
      if (claimed.length > 0) return claimed
      after = organizationId
    }
  }
  return {
    async takeWork(due) {
      for (const search of listSearches(due)) {
        const taken = await take(due, search)
        if (taken.length > 0) return taken
      }
      return []
    },
  }
}

interface Claims {
  found: readonly Found[]
  due: Pick<DueWork, 'queue' | 'leaseUntil'>
}

async function claim(
  mongo: Mongo,
  writer: Writer,
  { found, due: { queue, leaseUntil } }: Claims,
): Promise<QueuedWork[]> {
  const works = found.map(({ work }) => work)
  // Archiving twice is harmless; time stamps are paid for.
  const isShared = ({ pending }: Found) => queue !== 'archive' || !writer.isOursAlone(pending)
  const shared = found.filter(isShared)
  if (shared.length === 0) return works
  const lease = { nextAttemptAt: leaseUntil, writer: writer.id }
  const claims = shared.map(({ work, pending: { nextAttemptAt = null } }) => {
    const field = `unarchived.${work.part}`
    const filter = { ...whereStill(work), [`${field}.nextAttemptAt`]: nextAttemptAt }
    return { updateOne: { filter, update: { $set: toNestedFields(field, lease) } } }
  })
  const { matchedCount } = await mongo.write((db) =>
    getInvoiceCollection(db).bulkWrite(claims, { ordered: false }),
  )
  if (matchedCount === claims.length) return works
  const leased = await mongo.read((db) =>
    getInvoiceCollection(db)
      .find(
        { _id: { $in: shared.map(({ work }) => work.invoiceId) } },
        { projection: { unarchived: 1 } },
      )
      .toArray(),
  )
  const unarchived = new Map(leased.map((document) => [document._id, document.unarchived]))
  const isLost = ({ work: { invoiceId, part, position } }: Found) => {
    const pending = unarchived.get(invoiceId)?.[part]
    return !(
      pending?.position === position &&
      pending.nextAttemptAt === leaseUntil &&
      pending.writer === writer.id
    )
  }
  const lost = new Set(shared.filter(isLost).map(({ work }) => work))
  return works.filter((work) => !lost.has(work))
}

function toNestedFields(field: string, values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${field}.${name}`, value]),
  )
}

function dueFilter(
  field: string,
  { after, nextAttemptAt, except, underway }: DueWork & Search,
  writer: Writer,
): mongo.Filter<InvoiceDocument> {
  return {
    organizationId: { $gt: after, $nin: except },
    [`${field}.position`]: { $exists: true, $nin: underway },
    [`${field}.nextAttemptAt`]: nextAttemptAt,
    ...writer.oursOrLeft(field),
  }
}

type FoundDocument = Pick<InvoiceDocument, '_id' | 'organizationId' | 'unarchived'>

function foundIn({ _id, organizationId, unarchived }: FoundDocument, part: WorkPart): Found[] {
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

function whereStill({ invoiceId, organizationId, part, position }: QueuedWork) {
  return { _id: invoiceId, organizationId, [`unarchived.${part}.position`]: position }
}

type Update = mongo.UpdateFilter<InvoiceDocument> | mongo.Document[]

interface SettledWork {
  work: QueuedWork
  update: Update
}

const options = { batchMax: 32, batchesAtOnce: 2 } as const

type Settling = Pick<
  Work,
  'finishWork' | 'keepTimeStamp' | 'keepEvidence' | 'postponeWork' | 'buryArchiveWork'
>

function settling(mongo: Mongo, writer: Writer): Settling {
  const updates = new Grouped<SettledWork, void>(async (settled) => {
    const bulk = settled.map(({ work, update }) => ({
      updateOne: { filter: whereStill(work), update },
    }))
    await mongo.write((db) => getInvoiceCollection(db).bulkWrite(bulk, { ordered: false }))
    return settled.map(() => fulfilled(undefined))
  }, options)
  const settle = (work: QueuedWork, update: Update) => updates.add({ work, update })
  return {
    async finishWork(work, requested) {
      const isXml = work.part === 'signed-xml'
      const next = isXml ? 'time-stamp' : requested
      await settle(work, {
        $unset: { [`unarchived.${work.part}`]: 1, ...(isXml && { xml: 1 }) },
        ...(next && { $set: { [`unarchived.${next}`]: writer.pending() } }),
      })
    },
    async keepTimeStamp(work, { level, timeStampedAt, token }, evidenceDue) {
      const evidence = { level, timeStampedAt, token: new mongoose.mongo.Binary(token) }
      const next = evidenceDue !== undefined && {
        'unarchived.evidence': ifStamped('$unarchived.evidence', {
          ...writer.pending(),
          nextAttemptAt: evidenceDue,
        }),
      }
      await settle(work, [
        { $set: { evidence: ifStamped('$evidence', evidence), ...next } },
        { $unset: `unarchived.${work.part}` },
      ])
    },
    async keepEvidence(work, { level, timeStampedAt, artefact, renewBy }) {
      const done = { [`unarchived.${work.part}`]: 1 } as const
      const evidence = { level, timeStampedAt, artefact, ...(renewBy && { renewBy }) }
      const { matchedCount } = await mongo.write((db) =>
        getInvoiceCollection(db).updateOne(
          { ...whereStill(work), 'evidence.artefact': { $not: { $gt: artefact } } },
          { $unset: done, $set: { evidence } },
        ),
      )
      if (matchedCount === 0) await settle(work, { $unset: done })
    },
    async postponeWork(work, next) {
      await settle(work, { $set: toNestedFields(`unarchived.${work.part}`, next) })
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

/** What a stamped document has, else the value. */
function ifStamped(kept: string, value: unknown): mongo.Document {
  const isStamped = { $ne: [{ $type: '$evidence' }, 'missing'] }
  return { $cond: [isStamped, kept, { $literal: value }] }
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
      const letters = await Promise.all(archiveParts.map((part) => listPart(part, after, count)))
      const ordered = letters.flat().sort((a, b) => (a.position < b.position ? -1 : 1))
      return ordered.slice(0, count)
    },
    async reviveArchiveWork({ invoiceId, organizationId, part, position }) {
      const field = `archiveDead.${part}`
      const { matchedCount } = await mongo.write((db) =>
        getInvoiceCollection(db).updateOne(
          { _id: invoiceId, organizationId, [`${field}.position`]: position },
          {
            $unset: { [field]: 1 },
            $set: { [`unarchived.${part}`]: { position, writer: writer.id } },
          },
        ),
      )
      return matchedCount === 1
    },
  }
}
