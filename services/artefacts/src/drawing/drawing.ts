import os from 'node:os'
import path from 'node:path'
import { Piscina } from 'piscina'
import { Gauge, Histogram } from 'prom-client'
import { within } from '@einvoicing/runtime/deadline'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import { DrawCache } from './draw-cache'
import { Slots } from './slots'

const duration = new Histogram({
  name: 'einvoicing_drawing_duration_seconds',
  help: 'Drawing of a document, its wait for a thread included, by what is drawn and outcome',
  labelNames: ['artefact', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  registers: [metrics],
})

const inProgress = new Gauge({
  name: 'einvoicing_drawing_in_progress',
  help: 'Documents being drawn or waiting for a thread',
  registers: [metrics],
})

/**
 * Draws documents on a few threads of low priority, with a short queue. A full queue and a passed
 * deadline are SERVICE_UNAVAILABLE immediately.
 */
export interface Drawing {
  /**
   * An invoice as a PDF. `deadline` in milliseconds since the epoch; requests of one `lane`
   * wait for one another, requests of different lanes take turns.
   */
  pdf(invoice: Invoice, deadline: number, lane?: string): Promise<Buffer>
  /** A text as a QR code in a PNG. */
  qr(text: string, deadline: number, lane?: string): Promise<Buffer>
  /** Finishes current and waiting documents, for as long as a drain may take. */
  close(): Promise<void>
}

export interface DrawingOptions {
  log: Log
  /** Documents that may wait for a thread, of all lanes. */
  queueMax?: number
  /** Threads that draw; by default one core is left to the event loop. */
  threads?: number
}

// An invoice of 2,000 lines of maximal length takes a fraction of this: a thread that needs longer
// is stuck, and is terminated.
const drawDeadlineMs = 20_000

const defaultThreads = Math.min(4, Math.max(1, os.availableParallelism() - 1))

interface Task {
  name: 'drawPdf' | 'drawQr'
  task: Invoice | string
  lane: string
}

export function openDrawing({
  log,
  queueMax = 64,
  threads = defaultThreads,
}: DrawingOptions): Drawing {
  const pool = new Piscina({
    filename: path.join(__dirname, 'worker.js'),
    name: 'drawPdf',
    minThreads: 1,
    maxThreads: threads,
    // Drawing uses idle processor time; creating invoices never waits for it.
    niceIncrement: 10,
    closeTimeout: deadlinesMs.drain,
  })
  // The pool replaces a thread that fails while idle; without a listener its error would end the
  // process.
  pool.on('error', (err: Error) => log.error({ err }, 'a drawing thread failed'))

  const slots = new Slots(threads, queueMax)
  const once = new DrawCache()
  const underway = new Set<Promise<Buffer>>()

  async function drawInTurn({ name, task, lane }: Task, signal: AbortSignal): Promise<Buffer> {
    await slots.enter(lane, signal)
    try {
      const bytes = (await pool.run(task, { name, signal })) as Uint8Array
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (error) {
      if (signal.aborted) throw unavailable('The drawing of documents', error)
      throw error
    } finally {
      slots.leave()
    }
  }

  async function draw(task: Task, deadline: number): Promise<Buffer> {
    const withinMs = Math.min(drawDeadlineMs, deadline - Date.now())
    if (withinMs <= 0) throw unavailable('The drawing of documents')
    const drawing = drawInTurn(task, AbortSignal.timeout(withinMs))
    underway.add(drawing)
    inProgress.inc()
    try {
      return await drawing
    } finally {
      inProgress.dec()
      underway.delete(drawing)
    }
  }

  return {
    pdf: (invoice, deadline, lane = '') =>
      timed(duration, { artefact: 'pdf' }, () =>
        once.getOrDraw(invoice, () => draw({ name: 'drawPdf', task: invoice, lane }, deadline)),
      ),
    qr: (text, deadline, lane = '') =>
      timed(duration, { artefact: 'qr' }, () =>
        draw({ name: 'drawQr', task: text, lane }, deadline),
      ),
    async close() {
      await within(
        deadlinesMs.drain,
        Promise.allSettled(underway),
        () => new Error('too long'),
      ).catch(() => undefined)
      await pool.close()
    },
  }
}
