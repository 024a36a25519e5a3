import os from 'node:os'
import path from 'node:path'
import { Piscina } from 'piscina'
import { Gauge, Histogram } from 'prom-client'
import { within } from '@einvoicing/runtime/deadline'
import type { Environment } from '@einvoicing/domain/environment'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { Slots } from '@einvoicing/runtime/slots'
import { threadMemory } from '@einvoicing/runtime/memory'
import { DrawCache, drawingUnavailable } from './draw-cache'
import { toBuffer } from './to-buffer'
import type { DrawingWorkerData, FinalArtefacts, FinalInvoice, SignedInvoice } from './worker'

const duration = new Histogram({
  name: 'einvoicing_drawing_duration_seconds',
  help: 'Time to draw a document, including the wait for a thread, by artefact and outcome',
  labelNames: ['artefact', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  registers: [metrics],
})

const inProgress = new Gauge({
  name: 'einvoicing_drawing_in_progress',
  help: 'Documents being drawn or waiting for a thread',
  registers: [metrics],
})

/** SERVICE_UNAVAILABLE when the short queue is full and after the deadline. */
export interface Drawing {
  /** `deadline`: in milliseconds since the epoch. Lanes take turns. */
  pdf(signed: SignedInvoice, deadline: number, lane?: string): Promise<Buffer>
  qr(text: string, deadline: number, lane?: string): Promise<Buffer>
  final(final: FinalInvoice, deadline: number, lane?: string): Promise<Drawn>
  close(): Promise<void>
}

export interface Drawn {
  pdf: Buffer
  qr: Buffer | undefined
}

export interface DrawingOptions {
  log: Log
  environment?: Environment
  queueMax?: number
  /** By default one core is left to the event loop. */
  threads?: number
}

// 2,000 lines of usual length take a fraction of this, of maximal length (2,000 pages) about half.
// A slower thread is stuck and terminated.
const drawDeadlineMs = 20_000

const threadIdleMs = 600_000

const defaultThreads = Math.min(4, Math.max(1, os.availableParallelism() - 1))

interface Task {
  name: 'drawPdf' | 'drawQr' | 'drawFinal'
  task: SignedInvoice | string | FinalInvoice
  lane: string
}

export function openDrawing({
  log,
  environment = 'live',
  queueMax = 64,
  threads = defaultThreads,
}: DrawingOptions): Drawing {
  const pool = openPool({ threads, environment, log })
  const slots = new Slots({ count: threads, waitingMax: queueMax, toError: drawingUnavailable })
  const once = new DrawCache({ longestMs: drawDeadlineMs })
  const underway = new Set<Promise<unknown>>()

  /** `signal`: of those who wait; what has begun goes on (docs/decisions/0145). */
  function drawInTurn({ name, task, lane }: Task, signal: AbortSignal): Promise<unknown> {
    return slots.run(lane, signal, async () => {
      const stuck = AbortSignal.timeout(drawDeadlineMs)
      try {
        return (await pool.run(task, { name, signal: stuck })) as unknown
      } catch (error) {
        if (stuck.aborted) throw drawingUnavailable(error)
        throw error
      }
    })
  }

  async function draw(task: Task, signal: AbortSignal): Promise<unknown> {
    const drawing = drawInTurn(task, signal)
    underway.add(drawing)
    inProgress.inc()
    try {
      return await drawing
    } finally {
      inProgress.dec()
      underway.delete(drawing)
    }
  }

  function drawWithin(task: Task, deadline: number): Promise<unknown> {
    const leftMs = Math.min(drawDeadlineMs, deadline - Date.now())
    if (leftMs <= 0) throw drawingUnavailable()
    return within(leftMs, draw(task, AbortSignal.timeout(leftMs)), drawingUnavailable)
  }

  return {
    pdf: (signed, deadline, lane = '') =>
      timed(duration, { artefact: 'pdf' }, () =>
        once.getOrDraw(signed, deadline, async (signal) =>
          toBuffer((await draw({ name: 'drawPdf', task: signed, lane }, signal)) as Uint8Array),
        ),
      ),
    qr: (text, deadline, lane = '') =>
      timed(duration, { artefact: 'qr' }, async () =>
        toBuffer((await drawWithin({ name: 'drawQr', task: text, lane }, deadline)) as Uint8Array),
      ),
    final: (final, deadline, lane = '') =>
      timed(duration, { artefact: 'final' }, async () => {
        const task: Task = { name: 'drawFinal', task: final, lane }
        const { pdf, qr } = (await drawWithin(task, deadline)) as FinalArtefacts
        return { pdf: toBuffer(pdf), qr: qr && toBuffer(qr) }
      }),
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

interface PoolOptions {
  threads: number
  environment: Environment
  log: Log
}

function openPool({ threads, environment, log }: PoolOptions): Piscina {
  const pool = new Piscina({
    filename: path.join(__dirname, 'worker.js'),
    name: 'drawPdf',
    workerData: { environment } satisfies DrawingWorkerData,
    // A thread reads its fonts for 0.4 s: not while a process starts, and not again soon.
    minThreads: 0,
    idleTimeout: threadIdleMs,
    maxThreads: threads,
    resourceLimits: threadMemory,
    // Creating invoices has priority; on a busy core drawing still gets a quarter.
    niceIncrement: 5,
    closeTimeout: deadlinesMs.drain,
  })
  // Without a listener the error of an idle thread, which the pool replaces, would end the process.
  pool.on('error', (err: Error) => log.error({ err }, 'a drawing thread failed'))
  return pool
}
