/**
 * Entries of an audit log as a chain: each names the hash of the one before, so that none can be
 * changed, removed or moved without a trace.
 */

import { createHash } from 'node:crypto'

export interface ChainedContent {
  at: string
  actor: string
  action: string
  invoiceId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  detail?: string | undefined
  /** Of the signed XML, where the entry is about a signature. */
  documentSha256?: string | undefined
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

export const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** `chain` names the service and the organization: `invoices/<id>`. */
export function linkEntry(chain: string, head: ChainHead, entry: ChainedContent): ChainLink {
  const [seq, previous] = [head.seq + 1, head.hash]
  return { seq, previous, hash: hashEntry(chain, { seq, previous }, entry) }
}

/** Without a link: as an entry from before the chain counts in its beginning. */
export function hashEntry(
  chain: string,
  link: Pick<ChainLink, 'seq' | 'previous'> | undefined,
  entry: ChainedContent,
): string {
  const { at, actor, action, invoiceId, from, to, detail, documentSha256 } = entry
  const texts = [
    ...[chain, link && String(link.seq), link?.previous, at, actor, action],
    ...[invoiceId, from, to, detail, documentSha256],
  ]
  const written = texts.map((text) =>
    text === undefined ? '-\n' : `${Buffer.byteLength(text)}:${text}\n`,
  )
  return sha256(`einvoicing audit entry v1\n${written.join('')}`)
}

/** Of the entries that were there before the chain, in their order. */
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

  /** The first entry of the chain; the last word on the ones before. */
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

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
