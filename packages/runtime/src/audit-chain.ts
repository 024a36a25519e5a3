/** Each entry names the hash of the one before, so that no change or removal goes unnoticed. */

import { createHash, hash } from 'node:crypto'

export interface ChainedContent {
  at: string
  actor: string
  action: string
  invoiceId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  detail?: string | undefined
  /** Of the signed XML, when the entry is about a signature. */
  documentSha256?: string | undefined
  /** Of the client; only for entries about accounts. */
  network?: string | undefined
  device?: string | undefined
}

export interface ChainLink {
  /** From 1, without a gap. */
  seq: number
  previous: string
  hash: string
}

export interface ChainHead {
  seq: number
  hash: string
}

/** Without a link: written before the chain existed. */
export type ChainedEntry = ChainedContent & { [K in keyof ChainLink]?: ChainLink[K] | undefined }

export interface AuditHead extends ChainHead {
  organizationId: string
}

export interface PlacedAuditEntry {
  entry: ChainedEntry
  position: string
}

export interface CheckpointState {
  /** Of the newest, YYYY-MM-DD; absent before the first. */
  date?: string | undefined
  /** When it was made, or since when one is due. */
  at: string
}

export interface CheckpointTurn {
  now: string
  until: string
  held?: string | undefined
}

/** Read by `audit verify` and by checkpoints. */
export interface AuditChains {
  /** Links committed entries that are not in their chain yet. */
  completeAuditChains(): Promise<void>
  listAuditHeads(after: string | undefined, count: number): Promise<AuditHead[]>
  /** Organizations with a chain whose head was removed. */
  listHeadless(): Promise<string[]>
  /** In the order of the chain; entries from before the chain first. */
  readAuditChain(
    organizationId: string,
    after: string | undefined,
    count: number,
  ): Promise<PlacedAuditEntry[]>
  /** False while another process has the turn; `held` is the `until` of one's own. */
  takeCheckpointTurn(turn: CheckpointTurn): Promise<boolean>
  readCheckpointState(): Promise<CheckpointState | undefined>
  /** Changes nothing if the stored one is of the same date or a later one. */
  writeCheckpointState(state: CheckpointState): Promise<void>
}

export const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64) }

export type AuditLog = 'invoices' | 'organizations'

export function auditChainName(log: AuditLog, organizationId: string): string {
  return `${log}/${organizationId}`
}

export function linkEntry(chain: string, head: ChainHead, entry: ChainedContent): ChainLink {
  return linkText(chain, head, writeEntryText(entry))
}

/** `text` as `writeEntryText` returns it. */
export function linkText(chain: string, head: ChainHead, text: string): ChainLink {
  const [seq, previous] = [head.seq + 1, head.hash]
  return { seq, previous, hash: hashText(chain, { seq, previous }, text) }
}

/** Without a link: entries from before the chain count in its beginning. */
export function hashEntry(
  chain: string,
  link: Pick<ChainLink, 'seq' | 'previous'> | undefined,
  entry: ChainedContent,
): string {
  return hashText(chain, link, writeEntryText(entry))
}

/** The text that the hash covers; network and device follow if either exists. */
export function writeEntryText(entry: ChainedContent): string {
  const { at, actor, action, invoiceId, from, to, detail, documentSha256 } = entry
  const { network, device } = entry
  const isOfAccount = network !== undefined || device !== undefined
  return (
    writeText(at) +
    writeText(actor) +
    writeText(action) +
    writeText(invoiceId) +
    writeText(from) +
    writeText(to) +
    writeText(detail) +
    writeText(documentSha256) +
    (isOfAccount ? writeText(network) + writeText(device) : '')
  )
}

function hashText(
  chain: string,
  link: Pick<ChainLink, 'seq' | 'previous'> | undefined,
  text: string,
): string {
  const place = writeText(chain) + writeText(link && String(link.seq)) + writeText(link?.previous)
  return hash('sha256', `einvoicing audit entry v1\n${place}${text}`)
}

function writeText(text: string | undefined): string {
  return text === undefined ? '-\n' : `${Buffer.byteLength(text)}:${text}\n`
}

/** The entries that existed before the chain, in order. */
export class EarlierEntries {
  count = 0
  private readonly digest = createHash('sha256')
  private readonly chain: string

  constructor(chain: string) {
    this.chain = chain
  }

  add(entry: ChainedContent): void {
    this.count += 1
    this.digest.update(`${hashEntry(this.chain, undefined, entry)}\n`)
  }

  /** The first entry of the chain; it seals the ones before. */
  begin(at: string): ChainedContent {
    return {
      at,
      actor: `service:${this.chain.split('/', 1)[0] ?? ''}`,
      action: 'audit.chain-began',
      detail: this.describe(),
    }
  }

  describe(): string {
    return `${this.count} entries before, SHA-256 ${this.digest.copy().digest('hex')}`
  }
}
