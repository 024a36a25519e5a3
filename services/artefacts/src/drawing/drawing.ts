/**
 * Documents drawn off the event loop: a few threads of low priority behind a short queue.
 *
 * Refuses to make callers wait for nothing: a full queue and a passed deadline are
 * SERVICE_UNAVAILABLE at once.
 */

import os from 'node:os'
import path from 'node:path'
import { Piscina } from 'piscina'
import { Gauge, Histogram } from 'prom-client'
import { deadlinesMs } from '@einvoicing/kernel/limits'
import type { Log } from '@einvoicing/kernel/log'
import { metrics, timed } from '@einvoicing/kernel/metrics'
import { unavailable } from '@einvoicing/kernel/refusal'
import type { Invoice } from '@einvoicing/proto/invoice'

const duration = new Histogram({
  name: 'einvoicing_drawing_duration_seconds',
  help: 'Drawing of a document, its wait for a thread included, by what is drawn and outcome',
  labelNames: ['artefact', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  registers: [metrics],
})

const inProgress = new Gauge({
  name: 'einvoicing_drawing_in_progress',
  help: 'Documents that are drawn now or wait for a thread',
  registers: [metrics],
})

export interface Drawing {
  /** An invoice as a PDF. `deadline` in milliseconds since the epoch. */
  pdf(invoice: Invoice, deadline: number): Promise<Buffer>
  /** A text as a QR code in a PNG. */
  qr(text: string, deadline: number): Promise<Buffer>
  /** Lets documents at work and waiting be finished, for as long as a drain may take. */
  close(): Promise<void>
}

export interface DrawingOptions {
  log: Log
  /** Documents that may wait for a thread; the next one is refused. */
  queueMax?: number
  /** Threads that draw; by default one core is left to the event loop. */
  threads?: number
}

// An invoice of 2,000 lines at their longest takes a fraction of this; a thread at work longer is
// stuck and is ended.
const drawDeadlineMs = 20_000

const defaultThreads = Math.min(4, Math.max(1, os.availableParallelism() - 1))

export function openDrawing({
  log,
  queueMax = 64,
  threads = defaultThreads,
}: DrawingOptions): Drawing {
  const pool = new Piscina({
    filename: workerFile(__filename),
    minThreads: 1,
    maxThreads: threads,
    // Drawing uses idle processor time; creating invoices never waits for it.
    niceIncrement: 10,
    closeTimeout: deadlinesMs.drain,
  })
  // A thread that fails while it draws nothing is replaced; without a listener it would end us.
  pool.on('error', (err: Error) => log.error({ err }, 'a drawing thread failed'))

  async function draw(name: 'drawPdf' | 'drawQr', task: Invoice | string, deadline: number) {
    const withinMs = Math.min(drawDeadlineMs, deadline - Date.now())
    // Counted here: piscina's own limit does not see tasks that can be aborted.
    if (withinMs <= 0 || pool.queueSize >= queueMax) throw unavailable('The drawing of documents')
    const signal = AbortSignal.timeout(withinMs)
    inProgress.inc()
    try {
      const bytes = (await pool.run(task, { name, signal })) as Uint8Array
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (error) {
      if (signal.aborted) throw unavailable('The drawing of documents', error)
      throw error
    } finally {
      inProgress.dec()
    }
  }

  return {
    pdf: (invoice, deadline) =>
      timed(duration, { artefact: 'pdf' }, () => draw('drawPdf', invoice, deadline)),
    qr: (text, deadline) =>
      timed(duration, { artefact: 'qr' }, () => draw('drawQr', text, deadline)),
    close: () => pool.close(),
  }
}

/**
 * A thread loads plain JavaScript only: unbuilt, in tests, a small script teaches it TypeScript
 * first.
 */
function workerFile(thisFile: string): string {
  const built = path.extname(thisFile) === '.js'
  return path.join(__dirname, built ? 'worker.js' : 'worker-unbuilt.cjs')
}
