import {
  auditChainName,
  type AuditChains,
  type AuditHead,
  type AuditLog,
} from '@einvoicing/runtime/audit-chain'
import {
  dayMs,
  findCheckpointProblem,
  madeToleranceMs,
  madeUpMax,
  readCheckpoint,
  readLeaf,
  toDate,
  type Checkpoint,
  type CheckpointTrust,
} from './checkpoint'
import { verifyChain, type FindDocumentProblem, type ChainFinding, type Mark } from './verify-chain'

export interface KeptCheckpoint {
  /** YYYY-MM-DD. */
  date: string
  /** Throws when the object is damaged, or the archive unavailable. */
  read: () => Promise<Buffer>
}

export interface AuditToVerify {
  log: AuditLog
  chains: Pick<
    AuditChains,
    | 'completeAuditChains'
    | 'listAuditHeads'
    | 'listHeadless'
    | 'readAuditChain'
    | 'readCheckpointState'
  >
  /** By date; absent: the archive is not read. */
  listCheckpoints?: (() => AsyncIterable<KeptCheckpoint>) | undefined
  findDocument?: FindDocumentProblem | undefined
  trust: CheckpointTrust
  /** Only this organization. */
  organizationId?: string | undefined
}

export type AuditFinding =
  | ({ log: AuditLog } & ChainFinding)
  | {
      log: AuditLog
      kind: 'checkpoint'
      date: string
      isTimeStamped: boolean
      /** Absent for a problem of the whole checkpoint. */
      organizationId?: string
      seq?: number
      problem?: string
    }

// In memory at once; the checkpoints are read again for the next ones.
const headsAtOnce = 10_000

export async function* verifyAudit(audit: AuditToVerify): AsyncGenerator<AuditFinding> {
  const { log, chains, organizationId } = audit
  await chains.completeAuditChains()
  const checkpoints = new Checkpoints(audit)
  yield* checkpoints.verify()
  let after: string | undefined
  for (;;) {
    const page = await chains.listAuditHeads(after, headsAtOnce)
    const heads = organizationId
      ? page.filter((head) => head.organizationId === organizationId)
      : page
    const marks = await checkpoints.readMarks(heads)
    for (const head of heads) {
      const chain = auditChainName(log, head.organizationId)
      checkpoints.newest.delete(chain)
      const toVerify = { chain, head, marks: marks.get(chain) ?? [] }
      for await (const finding of verifyChain(chains, toVerify, audit.findDocument)) {
        yield { log, ...finding }
      }
    }
    after = page.at(-1)?.organizationId
    if (page.length < headsAtOnce) break
  }
  for (const headless of await chains.listHeadless()) {
    if (organizationId !== undefined && organizationId !== headless) continue
    checkpoints.newest.delete(auditChainName(log, headless))
    const problem = 'the record of its newest entry is gone: entries may have been cut off'
    yield { log, kind: 'chain', organizationId: headless, entries: 0, seq: 1, problem }
  }
  yield* checkpoints.listLostChains()
}

interface Newest {
  seq: number
  date: string
}

class Checkpoints {
  readonly newest = new Map<string, Newest>()
  private readonly audit: AuditToVerify
  /** Dates of intact checkpoints. */
  private readonly intact = new Set<string>()

  constructor(audit: AuditToVerify) {
    this.audit = audit
  }

  async *verify(): AsyncGenerator<AuditFinding> {
    const { chains, listCheckpoints } = this.audit
    if (!listCheckpoints) return
    const today = toDate(this.audit.trust.now.getTime() + madeToleranceMs)
    let last: string | undefined
    for await (const kept of listCheckpoints()) {
      if (kept.date > today) {
        yield this.broken(kept.date, 'its day has not begun')
        continue
      }
      if (last !== undefined) yield* this.listMissing(last, kept.date)
      last = kept.date
      yield* this.verifyOne(kept)
    }
    const { date: written } = (await chains.readCheckpointState()) ?? {}
    if (written === undefined) return
    const newest = written > today ? today : written
    if (last === undefined) yield this.broken(newest, missing)
    else yield* this.listMissing(last, addDay(newest))
  }

  async readMarks(heads: readonly AuditHead[]): Promise<ReadonlyMap<string, readonly Mark[]>> {
    const { log, listCheckpoints } = this.audit
    const wanted = heads.map(({ organizationId }) => auditChainName(log, organizationId))
    const marks = new Map<string, Mark[]>(wanted.map((chain) => [chain, []]))
    if (!listCheckpoints || marks.size === 0) return marks
    for await (const { date, read } of listCheckpoints()) {
      if (!this.intact.has(date)) continue
      for (const leaf of (await readCheckpoint(await read())).leaves) {
        const { chain, seq, hash } = readLeaf(leaf)
        const before = marks.get(chain)
        const last = before?.at(-1)
        if (last?.seq !== seq || last.hash !== hash) before?.push({ seq, hash, date })
      }
    }
    for (const each of marks.values()) each.sort((one, other) => one.seq - other.seq)
    return marks
  }

  /** In the newest checkpoint, and not in the store at all. */
  *listLostChains(): Generator<AuditFinding> {
    const { log } = this.audit
    for (const [chain, { seq, date }] of this.newest) {
      const organizationId = chain.slice(log.length + 1)
      if (this.isOther(organizationId)) continue
      const problem = `the chain is gone, and the checkpoint of ${date} has ${seq} entries of it`
      yield { log, kind: 'chain', organizationId, entries: 0, seq: 1, problem }
    }
  }

  private async *verifyOne({ date, read }: KeptCheckpoint): AsyncGenerator<AuditFinding> {
    const { log, trust } = this.audit
    const finding = { log, kind: 'checkpoint', date, isTimeStamped: false } as const
    let checkpoint: Checkpoint
    try {
      checkpoint = await readCheckpoint(await read())
      const problem = findCheckpointProblem(checkpoint, { log, date }, trust)
      if (problem !== undefined) {
        yield { ...finding, problem }
        return
      }
    } catch (error) {
      if ((error as { code?: unknown }).code === 'SERVICE_UNAVAILABLE') throw error
      yield { ...finding, problem: `it cannot be read: ${(error as Error).message}` }
      return
    }
    const isTimeStamped = checkpoint.timeStamp !== null
    this.intact.add(date)
    const shorter = [...this.findShorter(checkpoint)]
    if (shorter.length === 0) yield { ...finding, isTimeStamped }
    for (const each of shorter) yield { ...finding, isTimeStamped, ...each }
  }

  /** A restored store that grew again is consistent, but does not match earlier checkpoints. */
  private *findShorter({ leaves, date }: Checkpoint) {
    const gone = new Set(this.newest.keys())
    for (const leaf of leaves) {
      const { chain, seq } = readLeaf(leaf)
      gone.delete(chain)
      const before = this.newest.get(chain)
      this.newest.set(chain, { seq, date })
      if (before && seq < before.seq) yield this.describeShorter(chain, before, seq)
    }
    for (const chain of gone) {
      const before = this.newest.get(chain)
      this.newest.delete(chain)
      if (before) yield this.describeShorter(chain, before, 0)
    }
  }

  private describeShorter(chain: string, before: Newest, seq: number) {
    const organizationId = chain.slice(this.audit.log.length + 1)
    const problem = `it has ${seq} entries of the chain, and the checkpoint of ${before.date} ${before.seq}: an older dump was restored`
    return { organizationId, seq: seq + 1, problem }
  }

  private *listMissing(last: string, next: string): Generator<AuditFinding> {
    const first = addDay(last)
    const count = Math.round((Date.parse(next) - Date.parse(first)) / dayMs)
    if (count > madeUpMax) {
      yield this.broken(first, `${missing}, nor are those of the ${count - 1} days after it`)
      return
    }
    for (let date = first; date < next; date = addDay(date)) yield this.broken(date, missing)
  }

  private broken(date: string, problem: string): AuditFinding {
    return { log: this.audit.log, kind: 'checkpoint', date, isTimeStamped: false, problem }
  }

  private isOther(organizationId: string): boolean {
    return this.audit.organizationId !== undefined && this.audit.organizationId !== organizationId
  }
}

const addDay = (date: string) => toDate(Date.parse(date) + dayMs)
const missing = 'it is not in the archive'
