import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Piscina } from 'piscina'
import { platformDeadlinesMs } from '../limits'
import type { Finding } from './examine-document'

export interface ExaminationThreadData {
  /** PEM. */
  trustedCertificates: string
}

export interface Examination {
  document: Uint8Array
  receivedAt: Date
}

/** Threads keep a large document from delaying requests; one that dies or hangs is replaced. */
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

  examine = async (document: Buffer, receivedAt: Date): Promise<Finding> => {
    const signal = AbortSignal.timeout(platformDeadlinesMs.verification)
    const examination: Examination = { document, receivedAt }
    return (await this.pool.run(examination, { signal })) as Finding
  }

  async close(): Promise<void> {
    await this.pool.destroy()
  }
}
