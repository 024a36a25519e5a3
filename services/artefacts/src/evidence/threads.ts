import type { X509Certificate } from 'node:crypto'
import path from 'node:path'
import { Piscina } from 'piscina'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Log } from '@einvoicing/runtime/log'
import { threadMemory } from '@einvoicing/runtime/memory'
import { readSignedParts, type SignatureParts } from '@einvoicing/verification/signature-form'
import { verifyDocument, type DocumentIdentity } from '@einvoicing/verification/verify-document'
import type { DigestTask, OriginalTask, ReadDocument, Verified, VerifyTask } from './worker'

export interface EvidenceThreads {
  readSignature(xml: Buffer, deadline: number): Promise<SignatureParts>
  verifyOriginal(original: Original, deadline: number): Promise<DocumentIdentity>
  read(xml: Buffer, deadline: number): Promise<ReadDocument>
  digest(task: DigestTask, deadline: number): Promise<Buffer>
  verify(task: VerifyTask, deadline: number): Promise<Verified>
  close(): Promise<void>
}

interface Original {
  xml: Buffer
  trusted: readonly X509Certificate[] | undefined
}

/** An original of 13 MiB would hold the event loop for 150 ms or more, this much for about ten. */
const loopBytesMax = 1024 * 1024

const idleMs = 30_000
/** More than a minute of an authority's answers. */
const queueMax = 1_000

export function openEvidenceThreads(log: Log): EvidenceThreads {
  const evidence = openThread('evidence', log)
  // Apart, so that originals do not wait for evidence.
  const originals = openThread('originals', log)
  return {
    readSignature: async (xml, deadline) =>
      xml.length > loopBytesMax
        ? originals.run('readSignatureOnThread', xml, deadline)
        : readSignedParts(xml).signature,
    async verifyOriginal({ xml, trusted }, deadline) {
      if (xml.length <= loopBytesMax) return verifyDocument(xml, trusted)
      const task: OriginalTask = { xml, trusted: trusted?.map(({ raw }) => raw) }
      return originals.run('verifyOriginalOnThread', task, deadline)
    },
    read: (xml, deadline) => evidence.run('readOnThread', xml, deadline),
    digest: async (task, deadline) =>
      Buffer.from(await evidence.run<Uint8Array>('digestOnThread', task, deadline)),
    verify: (task, deadline) => evidence.run('verifyOnThread', task, deadline),
    close: async () => {
      await Promise.all([evidence.close(), originals.close()])
    },
  }
}

function openThread(reads: string, log: Log) {
  const pool = new Piscina({
    filename: path.join(__dirname, 'worker.js'),
    name: 'readOnThread',
    minThreads: 0,
    maxThreads: 1,
    maxQueue: queueMax,
    idleTimeout: idleMs,
    resourceLimits: threadMemory,
    // Creating invoices has priority.
    niceIncrement: 5,
  })
  // Without a listener the error of an idle thread, which is replaced, would end the process.
  pool.on('error', (err: Error) => log.error({ err }, `the thread that reads ${reads} failed`))
  return {
    /** Throws SERVICE_UNAVAILABLE when too many wait, and at the deadline. */
    async run<T>(name: string, task: unknown, deadline: number): Promise<T> {
      if (pool.queueSize >= queueMax) throw unavailable('The archive')
      const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()))
      try {
        return (await pool.run(task, { name, signal })) as T
      } catch (error) {
        throw signal.aborted ? unavailable('The archive', error) : error
      }
    },
    close: () => pool.destroy(),
  }
}
