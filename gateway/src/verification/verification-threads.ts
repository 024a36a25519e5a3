import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { ApiError } from '@einvoicing/domain/api-error'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { Slots } from '@einvoicing/runtime/slots'
import { threadMemory } from '@einvoicing/runtime/memory'
import { createFormReport } from '@einvoicing/verification/verify/report'
import { Piscina } from 'piscina'
import { Histogram } from 'prom-client'
import type { BegunTask, Verification, VerificationTask } from './worker'

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
  /** Clients give up after half a minute. */
  turnMs: 10_000,
  /** From when the thread begins. */
  deadlineMs: 10_000,
  /** Until then: starting a thread takes long on a busy machine, and proves nothing. */
  beginMs: 15_000,
  heapMib: 256,
}

const retryAfterSeconds = 5
const idleMs = 30_000

/** A hostile document costs a thread its time and memory, never other requests theirs. */
export class VerificationThreads {
  private readonly options: typeof defaults
  private readonly pool: Piscina
  private readonly slots: Slots

  constructor(options: Partial<typeof defaults> = {}) {
    this.options = { ...defaults, ...options }
    const { workerFile, threadsMax, waitingMax, heapMib } = this.options
    const message = `Too many documents are being verified at once: send it again in ${retryAfterSeconds} seconds.`
    this.slots = new Slots({ count: threadsMax, waitingMax, toError: () => toError(message) })
    this.pool = new Piscina({
      filename: workerFile,
      name: 'verifyOnThread',
      minThreads: 0,
      maxThreads: threadsMax,
      idleTimeout: idleMs,
      resourceLimits: { ...threadMemory, maxOldGenerationSizeMb: heapMib },
      niceIncrement: 5,
      env: {},
    })
    // Without a listener the error of an idle thread, which is replaced, would end the process.
    this.pool.on('error', () => undefined)
  }

  /** Throws SERVICE_UNAVAILABLE when too many wait, or the document takes too long. */
  verify(task: VerificationTask, lane: string): Promise<Verification> {
    return timed(duration, {}, () =>
      this.slots.run(lane, AbortSignal.timeout(this.options.turnMs), () => this.run(task)),
    )
  }

  async close(): Promise<void> {
    await this.pool.destroy()
  }

  private async run(task: VerificationTask): Promise<Verification> {
    const { deadlineMs, beginMs, heapMib } = this.options
    const end = new AbortController()
    const abort = () => end.abort()
    let timer = setTimeout(abort, beginMs)
    const { port1: ours, port2: begun } = new MessageChannel()
    ours.once('message', () => {
      clearTimeout(timer)
      timer = setTimeout(abort, deadlineMs)
    })
    try {
      const { signal } = end
      const started: BegunTask = { ...task, begun }
      return (await this.pool.run(started, { signal, transferList: [begun] })) as Verification
    } catch (error) {
      if (end.signal.aborted) {
        throw toError('The document was not verified in time: send it again later.')
      }
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      const report = createFormReport(`reading it takes more than ${heapMib} MiB of memory`)
      return { report, sha256: '' }
    } finally {
      clearTimeout(timer)
      ours.close()
    }
  }
}

function toError(message: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
}
