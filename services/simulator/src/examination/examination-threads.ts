import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Piscina } from 'piscina'
import { threadMemory } from '@einvoicing/runtime/memory'
import { platformDeadlinesMs } from '../limits'
import type { Finding } from './examine-document'

export interface ExaminationThreadData {
  trustedCertificates: string
}

export interface Examination {
  document: Uint8Array
  receivedAt: Date
}

const defaults = {
  workerFile: join(__dirname, 'worker.js'),
  threadsMax: Math.min(4, availableParallelism()),
  deadlineMs: platformDeadlinesMs.verification as number,
}

const threadIdleMs = 60_000

/** So that a large document does not delay requests; a thread that dies or hangs is replaced. */
export class ExaminationThreads {
  private readonly pool: Piscina
  private readonly deadlineMs: number
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(workerData: ExaminationThreadData, options: Partial<typeof defaults> = {}) {
    const { workerFile, threadsMax, deadlineMs } = { ...defaults, ...options }
    this.deadlineMs = deadlineMs
    this.free = threadsMax
    this.pool = new Piscina({
      filename: workerFile,
      name: 'examineOnThread',
      workerData,
      minThreads: 1,
      maxThreads: threadsMax,
      // Without it a thread ends whenever nothing waits, and the next one runs code that is cold.
      idleTimeout: threadIdleMs,
      resourceLimits: threadMemory,
    })
    // Without a listener the error of an idle thread, which is replaced, would end the process.
    this.pool.on('error', () => undefined)
  }

  /** The deadline is that of the examination: waiting for a thread does not count. */
  examine = async (document: Buffer, receivedAt: Date): Promise<Finding> => {
    await this.takeThread()
    try {
      const examination: Examination = { document, receivedAt }
      const signal = AbortSignal.timeout(this.deadlineMs)
      return (await this.pool.run(examination, { signal })) as Finding
    } finally {
      this.releaseThread()
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy()
  }

  private async takeThread(): Promise<void> {
    if (this.free > 0) this.free -= 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  private releaseThread(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free += 1
  }
}
