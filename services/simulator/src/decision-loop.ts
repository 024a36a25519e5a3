import { simulatorReferencePrefix } from '@einvoicing/domain/environment'
import type { Log } from '@einvoicing/runtime/log'
import type { Behaviour } from './behaviour'
import { findScript } from './magic-buyers'
import { rejectionMessage, type RejectionCode } from './rejections'
import type { ReportedNumber, SubmissionStore, Undecided } from './submission-store'
import type { Finding, InvoiceSummary } from './examination/examine-document'

export type Examine = (document: Buffer, receivedAt: Date) => Promise<Finding>

export type StampInvoice = (
  invoice: InvoiceSummary,
  reference: string,
  submission: Undecided,
) => { qrCode: string; qrPayload: string }

export interface DecisionLoopDeps {
  store: SubmissionStore
  examine: Examine
  stamp: StampInvoice
  behaviour: () => Behaviour
  now: () => Date
  log: Log
}

interface Examined {
  submission: Undecided
  finding: Promise<Finding>
}

interface Reason {
  code: RejectionCode
  message?: string | undefined
  reported?: ReportedNumber | undefined
}

// Documents are up to 16 MiB large and stay in memory until they are decided.
const examinationsMax = 8

/** A document that makes the examination fail is rejected and logged: it must not delay others. */
export class DecisionLoop {
  private readonly deps: DecisionLoopDeps
  private readonly running: Promise<void>
  private closing = false
  private wakeUp: () => void = () => undefined
  private readonly examinations: Examined[] = []
  private lastSequence = 0

  constructor(deps: DecisionLoopDeps) {
    this.deps = deps
    this.running = this.run()
  }

  wake(): void {
    this.startExaminations()
    this.wakeUp()
  }

  /** Finishes the current submission; the others wait for the next start. */
  async close(): Promise<void> {
    this.closing = true
    this.wakeUp()
    await this.running
  }

  private async run(): Promise<void> {
    while (!this.closing) {
      this.startExaminations()
      const [first] = this.examinations
      if (first) {
        this.decide(first.submission, await first.finding)
        this.examinations.shift()
      } else await new Promise<void>((resolve) => (this.wakeUp = resolve))
    }
  }

  private startExaminations(): void {
    const space = examinationsMax - this.examinations.length
    if (this.closing || space <= 0) return
    for (const submission of this.deps.store.listUndecided(this.lastSequence, space)) {
      this.lastSequence = submission.sequence
      this.examinations.push({ submission, finding: this.examine(submission) })
    }
  }

  private decide(submission: Undecided, finding: Finding): void {
    if (finding.kind === 'refused') {
      const { code, message, reported } = finding
      this.reject(submission, { code, message, reported })
    } else {
      this.followScript(submission, finding.invoice)
    }
  }

  private async examine({ sequence, document, receivedAt }: Undecided): Promise<Finding> {
    try {
      return await this.deps.examine(document, receivedAt)
    } catch (err) {
      // Closing ends the threads; the rest is examined at the next start.
      if (!this.closing) this.deps.log.error({ err, sequence }, 'examination of a document failed')
      return {
        kind: 'refused',
        code: 'PROCESSING_ERROR',
        message: rejectionMessage('PROCESSING_ERROR'),
      }
    }
  }

  private followScript(submission: Undecided, invoice: InvoiceSummary): void {
    const script = findScript(invoice.buyerIce)
    const isCreditNote = invoice.typeCode === '381'
    if (script?.does === 'reject' || (script?.does === 'reject-credit-note' && isCreditNote)) {
      this.reject(submission, { code: script.code, reported: invoice })
    } else if (script?.does === 'never-decide') {
      const isWithheld = this.deps.store.withhold(submission.sequence, invoice)
      if (!isWithheld) this.reject(submission, { code: 'DUPLICATE_INVOICE' })
    } else {
      this.accept(submission, invoice, script?.does === 'decide-late' ? script.latencyMs : 0)
    }
  }

  private accept(submission: Undecided, invoice: InvoiceSummary, latencyMs: number): void {
    const decidedAt = this.announcementTime(submission, latencyMs)
    const sequence = String(submission.sequence).padStart(10, '0')
    const reference = `${simulatorReferencePrefix}${decidedAt.getUTCFullYear()}-${sequence}`
    const stamp = this.deps.stamp(invoice, reference, submission)
    const decision = { status: 'ACCEPTED', decidedAt, reference, ...stamp } as const
    const outcome = this.deps.store.accept(submission.sequence, invoice, decision)
    if (outcome === 'accepted') return
    const { code, detail } = outcome
    const reported = code === 'DUPLICATE_INVOICE' ? undefined : invoice
    this.reject(submission, { code, message: rejectionMessage(code, detail), reported })
  }

  private reject(
    submission: Undecided,
    { code: errorCode, message: errorMessage = rejectionMessage(errorCode), reported }: Reason,
  ): void {
    const decidedAt = this.announcementTime(submission, 0)
    this.deps.store.reject(submission.sequence, {
      status: 'REJECTED',
      decidedAt,
      errorCode,
      errorMessage,
      reported,
    })
    this.deps.log.info({ sequence: submission.sequence, errorCode }, 'submission rejected')
  }

  private announcementTime({ receivedAt }: Undecided, atLeastMs: number): Date {
    const latencyMs = Math.max(this.deps.behaviour().latencyMs, atLeastMs)
    return new Date(Math.max(+this.deps.now(), +receivedAt + latencyMs))
  }
}
