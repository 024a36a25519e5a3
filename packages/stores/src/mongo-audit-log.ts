import type {
  AuditLog,
  ChainedContent,
  ChainedEntry,
  ChainLink,
} from '@einvoicing/domain/audit-chain'
import type { mongo } from 'mongoose'

type EntryId = string | mongo.ObjectId

export interface ChainDocument extends Partial<ChainLink> {
  _id: EntryId
  organizationId: string
}

export interface AuditHeadDocument {
  _id: string
  seq: number
  hash: string
  /** Entries without `seq` and with a smaller id are older than the chain. */
  since: string
}

export interface ChainedLog {
  log: AuditLog
  /** With the indexes and collections of `createChain`. */
  audit: string
  heads: string
  toEntry: (document: ChainDocument) => ChainedEntry
  toDocument: (organizationId: string, entry: ChainedContent) => ChainDocument
  /** Removed when the entry gets its place. */
  mark?: string
  firstId: (ms: number) => string
  parseId: (text: string) => EntryId
}
