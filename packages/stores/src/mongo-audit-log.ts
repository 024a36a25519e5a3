/** What the chain of an audit log must know of it, and of its documents. */

import type {
  AuditLog,
  ChainedContent,
  ChainedEntry,
  ChainLink,
} from '@einvoicing/domain/audit-chain'
import type { mongo } from 'mongoose'

type EntryId = string | mongo.ObjectId

export interface ChainDocument extends Partial<ChainLink> {
  /** Grows with time. */
  _id: EntryId
  organizationId: string
}

export interface AuditHeadDocument {
  /** The organization's id. */
  _id: string
  seq: number
  hash: string
  /** Entries with an id before this one that have no `seq` were there before the chain. */
  since: string
}

export interface ChainedLog {
  log: AuditLog
  /** With the indexes and collections of `createChain`. */
  audit: string
  heads: string
  toEntry: (document: ChainDocument) => ChainedEntry
  toDocument: (organizationId: string, entry: ChainedContent) => ChainDocument
  /** Removed with the entry's place. */
  mark?: string
  /** The first id of a moment. */
  firstId: (ms: number) => string
  parseId: (text: string) => EntryId
}
