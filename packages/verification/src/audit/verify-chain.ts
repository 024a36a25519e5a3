import {
  EarlierEntries,
  emptyChain,
  hashEntry,
  type AuditChains,
  type AuditHead,
  type ChainedEntry,
  type ChainHead,
} from '@einvoicing/runtime/audit-chain'

export interface Mark extends ChainHead {
  date: string
}

export interface VerifiedChain {
  organizationId: string
  /** Up to the problem. */
  entries: number
  /** The first inconsistent one, if any. */
  seq?: number
  problem?: string
}

/** The chain is walked on: one document may be missing for good, after a loss of the archive. */
export interface BrokenDocument {
  organizationId: string
  seq?: number
  problem: string
}

export type ChainFinding =
  | ({ kind: 'chain' } & VerifiedChain)
  | ({ kind: 'document' } & BrokenDocument)

/** About the document that an entry names. */
export type FindDocumentProblem = (
  organizationId: string,
  invoiceId: string,
  sha256: string,
) => Promise<string | undefined>

export interface ChainToVerify {
  chain: string
  head: AuditHead
  /** By seq. */
  marks: readonly Mark[]
}

const pageSize = 1_000
const documentsAtOnce = 8

export async function* verifyChain(
  chains: Pick<AuditChains, 'readAuditChain'>,
  { chain, head, marks }: ChainToVerify,
  findDocument: FindDocumentProblem | undefined,
): AsyncGenerator<ChainFinding> {
  const { organizationId } = head
  const walk = new Walk(chain, head, marks)
  let after: string | undefined
  for (;;) {
    const page = await chains.readAuditChain(organizationId, after, pageSize)
    const problem = walk.takeAll(page.map(({ entry }) => entry))
    const fitting = page.map(({ entry }) => entry).slice(0, problem?.index)
    if (findDocument) yield* findBrokenDocuments(organizationId, fitting, findDocument)
    if (problem) {
      const { seq, text } = problem
      yield { kind: 'chain', organizationId, entries: seq - 1, seq, problem: text }
      return
    }
    after = page.at(-1)?.position
    if (page.length < pageSize) break
  }
  const entries = walk.reached.seq
  const cut = walk.findCut()
  if (cut === undefined) yield { kind: 'chain', organizationId, entries }
  else yield { kind: 'chain', organizationId, entries, seq: entries + 1, problem: cut }
}

async function* findBrokenDocuments(
  organizationId: string,
  entries: readonly ChainedEntry[],
  findDocument: FindDocumentProblem,
): AsyncGenerator<ChainFinding> {
  const naming = entries.filter(({ documentSha256 }) => documentSha256 !== undefined)
  for (let at = 0; at < naming.length; at += documentsAtOnce) {
    const some = naming.slice(at, at + documentsAtOnce)
    const problems = await Promise.all(
      some.map(({ invoiceId = '', documentSha256 = '' }) =>
        findDocument(organizationId, invoiceId, documentSha256),
      ),
    )
    for (const [index, problem] of problems.entries()) {
      if (problem === undefined) continue
      const seq = some[index]?.seq
      yield { kind: 'document', organizationId, ...(seq !== undefined && { seq }), problem }
    }
  }
}

class Walk {
  reached: ChainHead = emptyChain
  private readonly chain: string
  private readonly head: AuditHead
  private readonly earlier: EarlierEntries
  private readonly marks: Mark[]

  constructor(chain: string, head: AuditHead, marks: readonly Mark[]) {
    this.chain = chain
    this.head = head
    this.marks = [...marks]
    this.earlier = new EarlierEntries(chain)
  }

  /** Stops at the first inconsistent entry. */
  takeAll(
    entries: readonly ChainedEntry[],
  ): { index: number; seq: number; text: string } | undefined {
    for (const [index, entry] of entries.entries()) {
      const text = this.take(entry)
      if (text !== undefined) return { index, seq: this.reached.seq + 1, text }
    }
    return undefined
  }

  findCut(): string | undefined {
    const { seq } = this.reached
    const [mark] = this.marks
    if (mark) {
      return `the chain ends with entry ${seq}, but the checkpoint of ${mark.date} has ${mark.seq}: its end was cut, or an older dump was restored`
    }
    if (seq >= this.head.seq) return undefined
    return `the chain ends with entry ${seq}, but ${this.head.seq} were written: its end was cut`
  }

  private take(entry: ChainedEntry): string | undefined {
    const { seq, previous = '', hash = '' } = entry
    if (seq === undefined) {
      if (this.reached.seq > 0) return 'an entry without a number follows'
      this.earlier.add(entry)
      return undefined
    }
    const problem =
      this.findGap(seq) ??
      this.findBreak({ seq, previous, hash }, entry) ??
      this.findBeginning(entry) ??
      this.findOther({ seq, hash })
    if (problem === undefined) this.reached = { seq, hash }
    return problem
  }

  private findGap(seq: number): string | undefined {
    const expected = this.reached.seq + 1
    if (seq === expected) return undefined
    return seq > expected ? `entry ${expected} is missing` : `entry ${seq} is there twice`
  }

  private findBreak(
    { seq, previous, hash }: ChainHead & { previous: string },
    entry: ChainedEntry,
  ): string | undefined {
    if (previous !== this.reached.hash) return 'it does not follow the entry before'
    return hashEntry(this.chain, { seq, previous }, entry) === hash
      ? undefined
      : 'it was changed: its hash differs'
  }

  private findBeginning({ seq, action, detail }: ChainedEntry): string | undefined {
    if (seq !== 1) return undefined
    const began = action === 'audit.chain-began'
    if (!began) return this.earlier.count === 0 ? undefined : 'entries were added before the chain'
    return detail === this.earlier.describe()
      ? undefined
      : 'the entries from before the chain were changed'
  }

  /** A chain rewritten as a whole is consistent, but does not match the marks. */
  private findOther({ seq, hash }: ChainHead): string | undefined {
    while (this.marks[0]?.seq === seq) {
      const { hash: kept, date } = this.marks.shift() ?? { hash: '', date: '' }
      if (kept !== hash) return `it is not the entry that the checkpoint of ${date} has`
    }
    return seq === this.head.seq && hash !== this.head.hash
      ? 'the last entry is not the one that was written'
      : undefined
  }
}
