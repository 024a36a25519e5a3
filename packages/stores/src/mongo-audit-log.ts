import type {
  AuditLog,
  ChainedContent,
  ChainedEntry,
  ChainLink,
} from '@einvoicing/runtime/audit-chain'
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

// In ASCII "/" follows "." and ";" follows ":".
const followers: Readonly<Record<string, string>> = { '.': '/', ':': ';' }

/** `invoice.` and `user:` match all that begin with them. */
export function prefixFilter(wanted: string) {
  const follower = followers[wanted.slice(-1)]
  if (follower === undefined) return wanted
  return { $gte: wanted, $lt: `${wanted.slice(0, -1)}${follower}` }
}
