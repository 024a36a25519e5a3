import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { platformDeadlinesMs } from '../limits'
import type { Finding } from './examine-document'

export interface ExaminationThreadData {
  /** PEM text of the trusted authorities. */
  trustedCertificates: string
}

export interface Examination {
  document: Uint8Array
  receivedAt: Date
}

/**
 * Examines one document at a time on a thread, so that a large one does not delay requests. A
 * thread that dies or does not finish in time is replaced for the next document.
 */
export class ExaminationThread {
  private readonly data: ExaminationThreadData
  private worker: Worker | undefined

  constructor(data: ExaminationThreadData) {
    this.data = data
  }

  /** Rejects when the thread fails or takes longer than `platformDeadlinesMs.verification`. */
  examine = async (document: Buffer, receivedAt: Date): Promise<Finding> => {
    const worker = (this.worker ??= this.start())
    try {
      return await examineOnWorker(worker, { document, receivedAt })
    } catch (error) {
      this.forget(worker)
      await worker.terminate()
      throw error
    }
  }

  private start(): Worker {
    const worker = new Worker(join(__dirname, 'worker.js'), { workerData: this.data })
    // A thread that ends between two documents must not be given another.
    return worker.on('error', () => this.forget(worker)).on('exit', () => this.forget(worker))
  }

  private forget(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }
}

async function examineOnWorker(worker: Worker, examination: Examination): Promise<Finding> {
  const signal = AbortSignal.timeout(platformDeadlinesMs.verification)
  const over = new AbortController()
  // `once` listens for 'error' too and rejects with it.
  const answered = once(worker, 'message', { signal: AbortSignal.any([signal, over.signal]) })
  const exited = once(worker, 'exit', { signal: over.signal })
  worker.postMessage(examination)
  try {
    const [finding] = (await Promise.race([answered, exited])) as [Finding | number]
    if (typeof finding === 'number')
      throw new Error(`the examination thread exited with code ${finding}`)
    return finding
  } finally {
    over.abort()
    await Promise.allSettled([answered, exited])
  }
}
