/** One load: creates, waits for the verdicts, counts what the service has of it. */

import { setTimeout as pause } from 'node:timers/promises'
import {
  EinvoicingError,
  type EinvoicingClient,
  type ListQuery,
  type Status,
} from '@einvoicing/client'
import type { Run } from '../run'
import { Figures } from './figures'
import { generatedInvoice, newBuyerIce } from './generated'
import { inParallel } from './in-parallel'
import { progressLine } from './progress'
import type { LoadReport } from './report'

export interface LoadOptions {
  count: number
  concurrency: number
  wait: boolean
}

// What is on its way gets this long after Ctrl-C.
const graceMs = 5_000
const pollMs = 1_000
const redrawMs = 200
const undecided = ['SIGNED', 'TRANSMITTED'] as const
const decided = ['ACCEPTED', 'REJECTED', 'FAILED'] as const

export class Load {
  readonly #run: Run
  readonly #options: LoadOptions
  readonly #client: EinvoicingClient
  readonly #figures = new Figures()
  readonly #buyerIce = newBuyerIce()
  readonly #over = new AbortController()
  #fatal: EinvoicingError | undefined
  #created = 0
  #progress = { done: 0, total: 0, what: '' }

  constructor(run: Run, options: LoadOptions) {
    this.#run = run
    this.#options = options
    const { fetch } = this.#figures
    const { signal } = this.#over
    const onPause = () => this.#draw()
    // A whole window of the rate limit may have to be waited out, more than once.
    this.#client = run.connect({ fetch, signal, onPause, deadlineMs: 600_000 })
    run.interrupted.addEventListener('abort', () => {
      setTimeout(() => this.#over.abort(run.interrupted.reason), graceMs).unref()
    })
  }

  /** Throws what would befall every other request too: no connection, a key that is not valid. */
  async carryOut(): Promise<LoadReport> {
    const redraw = setInterval(() => this.#draw(), redrawMs)
    try {
      const startedAt = performance.now()
      await this.#createAll()
      const creatingMs = performance.now() - startedAt
      if (this.#options.wait) await this.#awaitVerdicts()
      return await this.#report(creatingMs)
    } finally {
      clearInterval(redraw)
    }
  }

  async #createAll(): Promise<void> {
    const { count, concurrency } = this.#options
    const isOver = () => this.#run.interrupted.aborted || this.#fatal !== undefined
    await inParallel(count, concurrency, { isOver, work: (index) => this.#create(index) })
    if (this.#fatal && this.#created === 0) throw this.#fatal
  }

  async #create(index: number): Promise<void> {
    try {
      await this.#client.createInvoice(generatedInvoice(this.#buyerIce, index))
      this.#created += 1
    } catch (error) {
      if (this.#over.signal.aborted) return
      if (!(error instanceof EinvoicingError)) throw error
      this.#figures.refuse(error.code)
      // What the service says of one invoice may not hold of the next; the rest does.
      if (error.status === undefined || error.status === 401) this.#fatal = error
    }
    this.#progress = { done: this.#created, total: this.#options.count, what: 'created' }
  }

  /** Counts are asked for, not invoices: that costs little of what the key may ask. */
  async #awaitVerdicts(): Promise<void> {
    const { interrupted } = this.#run
    while (!interrupted.aborted) {
      const counts = await this.#counts(undecided)
      if (!counts) return
      // What went on to the next status between two questions was counted twice.
      const waiting = Math.min(this.#created, sum(counts))
      this.#progress = { done: this.#created - waiting, total: this.#created, what: 'decided' }
      if (waiting === 0) return
      await pause(pollMs, undefined, { signal: interrupted }).catch(() => undefined)
    }
  }

  async #report(creatingMs: number): Promise<LoadReport> {
    const statuses = await this.#counts([...undecided, ...decided])
    // The service knows of more than we do where answers were lost. Asked by itself: while statuses
    // are counted one after the other, invoices go from one to the next.
    const created = (await this.#countOf({})) ?? this.#created
    return {
      buyerIce: this.#buyerIce,
      asked: this.#options.count,
      created,
      statuses: statuses ?? null,
      errors: Object.fromEntries(this.#figures.errors),
      faults: Object.fromEntries(this.#figures.faults),
      creation: {
        p50Ms: this.#figures.percentileMs(0.5),
        p99Ms: this.#figures.percentileMs(0.99),
        perSecond: Math.round((created / creatingMs) * 10_000) / 10,
      },
      interrupted: this.#run.interrupted.aborted,
    }
  }

  /** `undefined` where the service cannot be asked, or there is no time left for it. */
  async #counts(statuses: readonly Status[]): Promise<Counts | undefined> {
    const counted: Counts = {}
    for (const status of statuses) {
      const count = await this.#countOf({ status })
      if (count === undefined) return undefined
      if (count > 0) counted[status] = count
    }
    return counted
  }

  async #countOf(query: ListQuery): Promise<number | undefined> {
    try {
      const page = await this.#client.listPage({ ...query, buyerIce: this.#buyerIce, size: 1 })
      return page.totalElements
    } catch (error) {
      if (error instanceof EinvoicingError || this.#over.signal.aborted) return undefined
      throw error
    }
  }

  #draw(): void {
    const { done, total, what } = this.#progress
    const slowSeconds = Math.ceil((this.#figures.slowUntil - Date.now()) / 1_000)
    const slow = slowSeconds > 0 ? `, asked to slow down: ${slowSeconds} s` : ''
    const told = `${done}/${total} ${what}${slow}`
    this.#run.terminal.showProgress(progressLine(done, total, told))
  }
}

type Counts = Partial<Record<Status, number>>

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
