/**
 * Examines documents on a thread of its own, so that a large one does not keep requests waiting.
 *
 * One document at a time; a thread that dies or does not finish in time is replaced for the next document.
 */

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { platformDeadlinesMs } from './platform-limits'
import type { Finding } from './verdict'

/** What the thread is given at birth. */
export interface ExaminationThreadData {
  /** PEM text of the trusted authorities. */
  trustedCertificates: string
}

export interface Examination {
  document: Uint8Array
  receivedAt: Date
}

export class ExaminationThread {
  private readonly data: ExaminationThreadData
  private worker: Worker | undefined

  constructor(data: ExaminationThreadData) {
    this.data = data
  }

  /** Rejects when the thread fails or takes longer than `platformDeadlinesMs.verification`. */
  examine = async (document: Buffer, receivedAt: Date): Promise<Finding> => {
    this.worker ??= new Worker(join(__dirname, 'examination-worker.js'), { workerData: this.data })
    const { worker } = this
    try {
      return await askWorker(worker, { document, receivedAt })
    } catch (error) {
      this.worker = undefined
      await worker.terminate()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }
}

function askWorker(worker: Worker, examination: Examination): Promise<Finding> {
  return new Promise<Finding>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the examination took too long')),
      platformDeadlinesMs.verification,
    )
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      worker.removeAllListeners()
      act()
    }
    worker.once('message', (finding: Finding) => settle(() => resolve(finding)))
    worker.once('error', (error) => settle(() => reject(error)))
    worker.once('exit', (code) =>
      settle(() => reject(new Error(`the examination thread exited with ${code}`))),
    )
    worker.postMessage(examination)
  })
}
