/** Migrations: each runs once, in order, and is never edited afterwards. */

import { createChain } from '@einvoicing/stores/mongo-audit-chain'
import type { MongoMigrations } from '@einvoicing/stores/mongo-migrations'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { AuditEntry, Invoice, InvoiceLine, InvoiceStatus } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import type { ArchiveDeadLetter, ArchivePart, SignatureEvidence, WorkPart } from '../store'
import {
  renewalIndex,
  toRenewIndex,
  firstEvidenceIndex,
  archiveIndexes,
  rejectedOriginalsIndex,
  unauditedIndex,
  workIndex,
  workTurnsIndex,
} from './work-indexes'
import { uncounted, type CountedChange, type CountedRow } from './counted-row'

export interface Pending {
  /** UUID v7, so that later work sorts after. */
  position: string
  /** The process that wrote it, and processes it first. */
  writer: string
}

export type DeadArchive = Pick<ArchiveDeadLetter, 'position' | 'attempts' | 'at' | 'error'>

export interface PendingWork extends Pending {
  attempts?: number
  /** In the future also while a process is working on it. */
  nextAttemptAt?: string
}

export interface InvoiceDocument {
  _id: string
  organizationId: string
  invoice: Omit<Invoice, 'id' | 'organizationId' | 'lines'>
  lines: InvoiceLine[]
  /** In major units, so that lists order currencies alike: 386 yen are more than 5.38 dirhams. */
  order: { amountHt: number; amountVat: number; amountTtc: number; counted?: true }
  /** From signature to decision; stored because MongoDB parses timestamps slowly. */
  clearanceMs?: number
  /** Until archived. */
  xml?: { bytes: mongo.Binary; deflated: boolean }
  /** Until it may have been sent to the clearance platform. */
  neverSent?: boolean
  outgoing?: Pending & { facts: InvoiceEvent[] }
  /** Queued work of every part. The name is from when only the archive had a queue. */
  unarchived?: Partial<Record<WorkPart, PendingWork>>
  archiveDead?: Partial<Record<ArchivePart, DeadArchive>>
  /** Outside the invoice, so that background work never conflicts with a change. */
  evidence?: {
    level: SignatureEvidence['level']
    timeStampedAt: string
    /** Until an artefact holds it. */
    token?: mongo.Binary
    artefact?: number
    renewBy?: string
  }
  /** Until copied to the audit log. */
  unaudited?: Pending & { entries: AuditDocument[] }
}

export interface AuditDocument extends AuditEntry {
  /** UUID v7 of the entry, so that copying twice stores it once. */
  _id: string
  organizationId: string
}

export const auditCollections = { audit: 'invoice_audit', heads: 'invoice_audit_head' } as const
export const getInvoiceCollection = (db: mongo.Db) => db.collection<InvoiceDocument>('invoices')
export const getAuditCollection = (db: mongo.Db) =>
  db.collection<AuditDocument>(auditCollections.audit)

export interface ProgressDocument {
  _id: 'failed-asked'
  value: string
}

export const getProgressCollection = (db: mongo.Db) =>
  db.collection<ProgressDocument>('invoice_progress')

export interface ListCountsDocument {
  _id: string
  /** Of the last change to the counts. */
  sequence: number
  counts: Partial<Record<InvoiceStatus, number>>
}

export interface ListChangesDocument {
  organizationId: string
  sequence: number
  changes: CountedChange[]
}

export interface CountedDocument extends CountedRow {
  _id: string
}

export const getCounted = (db: mongo.Db) => db.collection<CountedDocument>('invoice_counted')
export const getListCounts = (db: mongo.Db) =>
  db.collection<ListCountsDocument>('invoice_list_counts')
export const getListChanges = (db: mongo.Db) =>
  db.collection<ListChangesDocument>('invoice_list_changes')

export const orderIndexes = {
  createdAt: 'by_creation',
  updatedAt: 'by_change',
  invoiceDate: 'by_invoice_date',
  dueDate: 'by_due_date',
  invoiceNumber: 'by_number',
  status: 'by_status',
  buyerName: 'by_buyer_name',
  amountHt: 'by_amount_ht',
  amountVat: 'by_amount_vat',
  amountTtc: 'by_amount_ttc',
} as const

/** Credit notes and deposits. */
export const typeIndex = 'by_type'

export const precedingNumber = 'invoice.precedingInvoices.items.invoiceNumber'
export const precedingIndex = 'by_preceding_number'

export const undecidedStatuses = ['SIGNED', 'TRANSMITTED'] as const

/** A partial index cannot express "not". */
export const notAcceptedStatuses = [
  'PENDING',
  'SIGNED',
  'TRANSMITTED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
] as const

const undecided = { 'invoice.status': { $in: undecidedStatuses } }

const failed = { 'invoice.status': 'FAILED' }

const orderIndex = (name: string, field: string) => ({
  name,
  key: { organizationId: 1, [field]: 1, _id: 1 },
})

const statusIndex = (name: string, field: string) => ({
  name,
  key: { organizationId: 1, 'invoice.status': 1, [field]: 1, _id: 1 },
})

const namespaceExists = 48

async function createOnce(db: mongo.Db, name: string): Promise<void> {
  try {
    await db.createCollection(name)
  } catch (error) {
    if ((error as { code?: unknown }).code !== namespaceExists) throw error
  }
}

const addIndex = (index: mongo.IndexDescription) => ({
  add: async (db: mongo.Db) => {
    await getInvoiceCollection(db).createIndexes([index])
  },
})

export const migrations: MongoMigrations = {
  name: 'invoices',
  steps: [
    async (db) => {
      await getInvoiceCollection(db).createIndexes([
        {
          name: 'by_number',
          key: { organizationId: 1, 'invoice.invoiceNumber': 1 },
          unique: true,
        },
        orderIndex('by_created_at', 'invoice.createdAt'),
        orderIndex('by_updated_at', 'invoice.updatedAt'),
        orderIndex('by_invoice_date', 'invoice.invoiceDate'),
        orderIndex('by_due_date', 'invoice.dueDate'),
        orderIndex('by_status', 'invoice.status'),
        orderIndex('by_buyer_name', 'invoice.buyerName'),
        orderIndex('by_amount_ht', 'order.amountHt'),
        orderIndex('by_amount_vat', 'order.amountVat'),
        orderIndex('by_amount_ttc', 'order.amountTtc'),
        {
          name: 'by_status_and_created_at',
          key: { organizationId: 1, 'invoice.status': 1, 'invoice.createdAt': 1, _id: 1 },
        },
        {
          name: 'by_buyer_and_created_at',
          key: { organizationId: 1, 'invoice.buyerIce': 1, 'invoice.createdAt': 1, _id: 1 },
        },
        workIndex('outgoing', 'outgoing'),
        workIndex('unarchived_xml', 'unarchived.signed-xml'),
        workIndex('unarchived_final', 'unarchived.final'),
        workIndex('unaudited', 'unaudited'),
        {
          name: 'undecided',
          key: { 'invoice.updatedAt': 1, _id: 1 },
          partialFilterExpression: undecided,
        },
        {
          name: 'undecided_age',
          key: { 'invoice.clearanceStartedAt': 1 },
          partialFilterExpression: undecided,
        },
      ])
      await getAuditCollection(db).createIndexes([
        { name: 'by_moment', key: { organizationId: 1, at: 1, _id: 1 } },
      ])
    },
    {
      add: async (db) => {
        // Few invoices at any time, so that counting by status skips the accepted ones.
        await getInvoiceCollection(db).createIndexes([
          {
            name: 'not_accepted',
            key: { 'invoice.status': 1 },
            partialFilterExpression: { 'invoice.status': { $in: notAcceptedStatuses } },
          },
        ])
      },
    },
    {
      add: async (db) => {
        await getAuditCollection(db).createIndexes([
          { name: 'of_invoice', key: { organizationId: 1, invoiceId: 1, at: 1, _id: 1 } },
        ])
      },
    },
    {
      add: async (db) => {
        // Covering indexes for statistics and lists. The next release drops by_created_at and
        // by_updated_at, which the previous release uses.
        await getInvoiceCollection(db).createIndexes([
          {
            name: 'by_creation',
            key: {
              organizationId: 1,
              'invoice.createdAt': 1,
              _id: 1,
              'invoice.status': 1,
              'invoice.currency': 1,
              'invoice.amountTtc': 1,
            },
          },
          {
            name: 'by_change',
            key: {
              organizationId: 1,
              'invoice.updatedAt': 1,
              _id: 1,
              'invoice.status': 1,
              clearanceMs: 1,
              'invoice.dgiErrorCode': 1,
            },
          },
        ])
      },
    },
    {
      add: async (db) => {
        await getInvoiceCollection(db).createIndexes([
          {
            name: 'failed',
            key: { 'invoice.updatedAt': 1, _id: 1, 'invoice.status': 1 },
            partialFilterExpression: failed,
          },
        ])
      },
    },
    {
      add: async (db) => {
        await getInvoiceCollection(db).createIndexes([
          workTurnsIndex('signed-xml'),
          workTurnsIndex('final'),
          workIndex(archiveIndexes['signed-xml'].dead, 'archiveDead.signed-xml'),
          workIndex(archiveIndexes.final.dead, 'archiveDead.final'),
        ])
      },
    },
    {
      add: async (db) => {
        await getInvoiceCollection(db).createIndexes([
          statusIndex('by_status_and_change', 'invoice.updatedAt'),
          statusIndex('by_status_and_number', 'invoice.invoiceNumber'),
          statusIndex('by_status_and_invoice_date', 'invoice.invoiceDate'),
          statusIndex('by_status_and_due_date', 'invoice.dueDate'),
          statusIndex('by_status_and_buyer_name', 'invoice.buyerName'),
          statusIndex('by_status_and_amount_ht', 'order.amountHt'),
          statusIndex('by_status_and_amount_vat', 'order.amountVat'),
          statusIndex('by_status_and_amount_ttc', 'order.amountTtc'),
          {
            name: 'uncounted',
            key: { organizationId: 1, 'invoice.updatedAt': 1 },
            partialFilterExpression: uncounted,
          },
          {
            name: 'by_day',
            key: {
              organizationId: 1,
              'invoice.invoiceDate': 1,
              'invoice.createdAt': 1,
              _id: 1,
              'invoice.status': 1,
            },
          },
        ])
        await getListChanges(db).createIndexes([
          { name: 'by_sequence', key: { organizationId: 1, sequence: 1 }, unique: true },
        ])
        // A snapshot cannot be read from before a collection was created.
        for (const name of ['invoice_list_counts', 'invoice_counted']) await createOnce(db, name)
      },
    },
    {
      add: async (db) => {
        await getInvoiceCollection(db).createIndexes([
          {
            name: 'by_reference',
            key: { organizationId: 1, 'invoice.dgiReference': 1 },
            partialFilterExpression: { 'invoice.dgiReference': { $exists: true } },
          },
        ])
      },
    },
    {
      add: async (db) => {
        // Few documents: an invoice has no type, and most have no reference.
        await getInvoiceCollection(db).createIndexes([
          {
            name: typeIndex,
            key: {
              organizationId: 1,
              'invoice.type': 1,
              'invoice.createdAt': 1,
              _id: 1,
              'invoice.status': 1,
              'invoice.currency': 1,
              'invoice.amountTtc': 1,
            },
            partialFilterExpression: { 'invoice.type': { $exists: true } },
          },
          {
            name: precedingIndex,
            key: { organizationId: 1, [precedingNumber]: 1, 'invoice.createdAt': 1, _id: 1 },
            partialFilterExpression: { [precedingNumber]: { $exists: true } },
          },
        ])
      },
    },
    {
      add: async (db) => {
        await getInvoiceCollection(db).createIndexes([
          workTurnsIndex('time-stamp'),
          workIndex('time_stamp', 'unarchived.time-stamp'),
        ])
      },
    },
    {
      add: async (db) => {
        await createChain(db, auditCollections, createOnce)
      },
    },
    {
      add: async (db) => {
        await getInvoiceCollection(db).createIndexes([
          workTurnsIndex('evidence'),
          workIndex('evidence', 'unarchived.evidence'),
          {
            name: renewalIndex,
            key: { 'evidence.renewBy': 1 },
            partialFilterExpression: { 'evidence.renewBy': { $exists: true } },
          },
        ])
      },
    },
    {
      add: async (db) => {
        // Organizations whose chain is held are left out by it. The next release drops `unaudited`,
        // which the previous release uses.
        await getInvoiceCollection(db).createIndexes([
          {
            name: unauditedIndex,
            key: { organizationId: 1, 'unaudited.position': 1 },
            partialFilterExpression: { 'unaudited.position': { $exists: true } },
          },
        ])
      },
    },
    addIndex(toRenewIndex),
    // The next release drops `evidence`, which the previous release uses.
    addIndex(firstEvidenceIndex),
    addIndex(rejectedOriginalsIndex),
  ],
}
