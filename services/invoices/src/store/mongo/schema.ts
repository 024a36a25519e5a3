/**
 * The collections of the invoice store in MongoDB, and their indexes, as migrations: each runs
 * once, in order, and is never edited afterwards.
 *
 * An invoice is one document with everything that was committed with it, so that one insert is the
 * whole creation. Nothing here ever expires.
 */

import type { MongoMigrations } from '@einvoicing/stores/mongo-migrations'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { AuditEntry, Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import type { ArchiveDeadLetter, ArchivePart } from '../store'

/** Work that was committed with the invoice and is still to be done. */
export interface Pending {
  /** UUID v7: later work sorts behind. */
  position: string
  /** The process that wrote it, and is first to do it. */
  writer: string
}

export type DeadArchive = Pick<ArchiveDeadLetter, 'position' | 'attempts' | 'at' | 'error'>

/** Where neither is there, it has not been tried. */
export interface PendingArchive extends Pending {
  /** Those that failed. */
  attempts?: number
  /** ISO 8601; put off also while a process is at it. */
  nextAttemptAt?: string
}

export interface InvoiceDocument {
  _id: string
  organizationId: string
  invoice: Omit<Invoice, 'id' | 'organizationId' | 'lines'>
  lines: InvoiceLine[]
  /** Amounts in whole units of their currency, for lists: 386 yen are more than 5.38 dirhams. */
  order: { amountHt: number; amountVat: number; amountTtc: number }
  /** From signature to decision, once there is one, for figures: MongoDB reads moments slowly. */
  clearanceMs?: number
  /** Until the archive has it. */
  xml?: { bytes: mongo.Binary; deflated: boolean }
  /** Until it may have been sent to the clearance platform. */
  neverSent?: boolean
  /** Until the bus has them. */
  outgoing?: Pending & { facts: InvoiceEvent[] }
  /** Until the archive has them. */
  unarchived?: Partial<Record<ArchivePart, PendingArchive>>
  /** What failed too often, until an operator has it tried again. */
  archiveDead?: Partial<Record<ArchivePart, DeadArchive>>
  /** Until they are in the audit. */
  unaudited?: Pending & { entries: AuditDocument[] }
}

export interface AuditDocument extends AuditEntry {
  /** UUID v7, given when the entry was written: copied twice, it is still one. */
  _id: string
  organizationId: string
}

export const invoicesOf = (db: mongo.Db) => db.collection<InvoiceDocument>('invoices')
export const auditOf = (db: mongo.Db) => db.collection<AuditDocument>('invoice_audit')

/** How far work has come that is done once for all processes. */
export interface ProgressDocument {
  _id: 'failed-asked'
  value: string
}

export const progressOf = (db: mongo.Db) => db.collection<ProgressDocument>('invoice_progress')

/** The index that has the invoices in the order asked for, by what to sort by. */
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

export const undecidedStatuses = ['SIGNED', 'TRANSMITTED'] as const

/** In MongoDB an index cannot say "not". */
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

const workIndex = (name: string, field: string) => ({
  name,
  key: { [`${field}.position`]: 1 },
  sparse: true,
})

/** The index of work by turns, and that of dead letters, of each part. */
export const archiveIndexes = {
  'signed-xml': { turns: 'unarchived_xml_turns', dead: 'archive_dead_xml' },
  final: { turns: 'unarchived_final_turns', dead: 'archive_dead_final' },
} as const satisfies Record<ArchivePart, unknown>

const archiveTurnsIndex = (part: ArchivePart) => {
  const field = `unarchived.${part}`
  return {
    name: archiveIndexes[part].turns,
    key: {
      organizationId: 1,
      [`${field}.nextAttemptAt`]: 1,
      [`${field}.position`]: 1,
      [`${field}.writer`]: 1,
    } as const,
    partialFilterExpression: { [`${field}.position`]: { $exists: true } },
  }
}

export const migrations: MongoMigrations = {
  name: 'invoices',
  steps: [
    async (db) => {
      await invoicesOf(db).createIndexes([
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
      await auditOf(db).createIndexes([
        { name: 'by_moment', key: { organizationId: 1, at: 1, _id: 1 } },
      ])
    },
    {
      add: async (db) => {
        // Holds few at any time, so that counting by status does not read the accepted ones.
        await invoicesOf(db).createIndexes([
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
        await auditOf(db).createIndexes([
          { name: 'of_invoice', key: { organizationId: 1, invoiceId: 1, at: 1, _id: 1 } },
        ])
      },
    },
    {
      add: async (db) => {
        // These hold all that an organization's figures are made of, so that no invoice is read for
        // them, and the order of lists. The next release drops by_created_at and by_updated_at,
        // which the one before this names.
        await invoicesOf(db).createIndexes([
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
        await invoicesOf(db).createIndexes([
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
        await invoicesOf(db).createIndexes([
          archiveTurnsIndex('signed-xml'),
          archiveTurnsIndex('final'),
          workIndex(archiveIndexes['signed-xml'].dead, 'archiveDead.signed-xml'),
          workIndex(archiveIndexes.final.dead, 'archiveDead.final'),
        ])
      },
    },
  ],
}
