/** Recomputes the chains of the audit log, and reports what does not fit. */

import {
  EarlierEntries,
  emptyChain,
  hashEntry,
  type ChainHead,
} from '@einvoicing/domain/audit-chain'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import { auditChainName, type AuditHead } from '../store/audit-chains'
import type { InvoiceStore } from '../store/store'

const pageSize = 1_000

type Store = Pick<InvoiceStore, 'completeAuditChains' | 'listAuditHeads' | 'readAuditChain' | 'get'>

export interface VerifiedChain {
  organizationId: string
  entries: number
  /** The first, where there is any. */
  seq?: number
  problem?: string
}

export async function* verifyAudit(
  store: Store,
  organizationId?: string,
): AsyncGenerator<VerifiedChain> {
  await store.completeAuditChains()
  const heads = await store.listAuditHeads()
  for (const head of heads) {
    if (organizationId !== undefined && head.organizationId !== organizationId) continue
    yield await verifyChain(store, head)
  }
}

async function verifyChain(store: Store, head: AuditHead): Promise<VerifiedChain> {
  const { organizationId } = head
  const walk = new Walk(store, head)
  let after: string | undefined
  for (;;) {
    const page = await store.readAuditChain(organizationId, after, pageSize)
    for (const { entry } of page) {
      const problem = await walk.take(entry)
      if (problem !== undefined) {
        const seq = walk.reached.seq + 1
        return { organizationId, entries: walk.reached.seq, seq, problem }
      }
    }
    after = page.at(-1)?.position
    if (page.length < pageSize) break
  }
  const { seq } = walk.reached
  if (seq >= head.seq) return { organizationId, entries: seq }
  const problem = `the chain ends with entry ${seq}, and ${head.seq} were written: its end was cut`
  return { organizationId, entries: seq, seq: seq + 1, problem }
}

class Walk {
  reached: ChainHead = emptyChain
  private readonly store: Store
  private readonly head: AuditHead
  private readonly chain: string
  private readonly earlier: EarlierEntries

  constructor(store: Store, head: AuditHead) {
    this.store = store
    this.head = head
    this.chain = auditChainName(head.organizationId)
    this.earlier = new EarlierEntries(this.chain)
  }

  /** Returns what is wrong with the entry that comes next. */
  async take(entry: AuditEntry): Promise<string | undefined> {
    const { seq, previous = '', hash = '' } = entry
    if (seq === undefined) {
      this.earlier.add(entry)
      return undefined
    }
    const problem =
      this.findGap(seq) ??
      this.findBreak({ seq, previous, hash }, entry) ??
      this.findBeginning(entry)
    if (problem !== undefined) return problem
    if (seq === this.head.seq && hash !== this.head.hash) {
      return 'the last entry is not the one that was written'
    }
    const document = await this.findDocument(entry)
    if (document === undefined) this.reached = { seq, hash }
    return document
  }

  private findGap(seq: number): string | undefined {
    const expected = this.reached.seq + 1
    if (seq === expected) return undefined
    return seq > expected ? `entry ${expected} is missing` : `entry ${seq} is there twice`
  }

  private findBreak(
    { seq, previous, hash }: ChainHead & { previous: string },
    entry: AuditEntry,
  ): string | undefined {
    if (previous !== this.reached.hash) return 'it does not follow the entry before'
    return hashEntry(this.chain, { seq, previous }, entry) === hash
      ? undefined
      : 'it was changed: its hash differs'
  }

  private findBeginning({ seq, action, detail }: AuditEntry): string | undefined {
    if (seq !== 1) return undefined
    const began = action === 'audit.chain-began'
    if (!began) return this.earlier.count === 0 ? undefined : 'entries were added before the chain'
    return detail === this.earlier.describe()
      ? undefined
      : 'the entries from before the chain were changed'
  }

  private async findDocument({
    invoiceId,
    documentSha256,
  }: AuditEntry): Promise<string | undefined> {
    if (documentSha256 === undefined || invoiceId === undefined) return undefined
    const stored = (await this.store.get(this.head.organizationId, invoiceId))?.xmlSha256
    if (stored === documentSha256) return undefined
    return `invoice ${invoiceId} has another signed XML in the store: ${stored ?? 'none'}`
  }
}
