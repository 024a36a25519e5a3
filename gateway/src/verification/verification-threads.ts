import path from 'node:path'
import { ApiError } from '@einvoicing/domain/api-error'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { createFormReport } from '@einvoicing/verification/verify/report'
import { Piscina } from 'piscina'
import { Histogram } from 'prom-client'
import type { Verification, VerificationTask } from './worker'

const duration = new Histogram({
  name: 'einvoicing_verification_duration_seconds',
  help: 'Verification of a document that a client sent, its wait for a thread included, by outcome',
  labelNames: ['outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  registers: [metrics],
})

const defaults = {
  workerFile: path.join(__dirname, 'worker.js'),
  threadsMax: 2,
  waitingMax: 8,
  deadlineMs: 5_000,
  heapMib: 256,
}

const retryAfterSeconds = 5
const idleMs = 30_000

/** A hostile document costs a thread its time and memory, never other requests theirs. */
export class VerificationThreads {
  private readonly options: typeof defaults
  private readonly pool: Piscina
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(options: Partial<typeof defaults> = {}) {
    this.options = { ...defaults, ...options }
    const { workerFile, threadsMax, heapMib } = this.options
    this.pool = new Piscina({
      filename: workerFile,
      name: 'verifyOnThread',
      // Most processes verify nothing for hours.
      minThreads: 0,
      maxThreads: threadsMax,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
      // Creating invoices comes first.
      niceIncrement: 5,
      env: {},
    })
    // Without a listener the error of an idle thread, which is replaced, would end the process.
    this.pool.on('error', () => undefined)
  }

  /** Throws SERVICE_UNAVAILABLE where too many wait, or the document takes too long. */
  verify(task: VerificationTask): Promise<Verification> {
    return timed(duration, {}, async () => {
      await this.takeTurn()
      try {
        return await this.run(task)
      } finally {
        this.endTurn()
      }
    })
  }

  async close(): Promise<void> {
    await this.pool.destroy()
  }

  private async run(task: VerificationTask): Promise<Verification> {
    const { deadlineMs, heapMib } = this.options
    const signal = AbortSignal.timeout(deadlineMs)
    try {
      return (await this.pool.run(task, { signal })) as Verification
    } catch (error) {
      if (signal.aborted) {
        const message = `The document was not verified within ${deadlineMs / 1_000} seconds: send it again later.`
        throw new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
      }
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      const report = createFormReport(`reading it takes more than ${heapMib} MiB of memory`)
      return { report, sha256: '' }
    }
  }

  private async takeTurn(): Promise<void> {
    const { threadsMax, waitingMax } = this.options
    if (this.running < threadsMax) {
      this.running += 1
      return
    }
    if (this.waiting.length >= waitingMax) {
      const message = `Too many documents are being verified at once: send it again in ${retryAfterSeconds} seconds.`
      throw new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  private endTurn(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.running -= 1
  }
}
