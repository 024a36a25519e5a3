import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Piscina } from 'piscina'
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
 * Examines documents on threads, so that a large one does not delay requests. A thread that dies or
 * does not finish in time is replaced.
 */
export class ExaminationThreads {
  private readonly pool: Piscina

  constructor(workerData: ExaminationThreadData) {
    this.pool = new Piscina({
      filename: join(__dirname, 'worker.js'),
      name: 'examineOnThread',
      workerData,
      minThreads: 1,
      maxThreads: Math.min(4, availableParallelism()),
    })
    // Without a listener the error of an idle thread, which is replaced, would end the process.
    this.pool.on('error', () => undefined)
  }

  /** Rejects when the thread fails or takes longer than `platformDeadlinesMs.verification`. */
  examine = async (document: Buffer, receivedAt: Date): Promise<Finding> => {
    const signal = AbortSignal.timeout(platformDeadlinesMs.verification)
    const examination: Examination = { document, receivedAt }
    return (await this.pool.run(examination, { signal })) as Finding
  }

  async close(): Promise<void> {
    await this.pool.destroy()
  }
}
