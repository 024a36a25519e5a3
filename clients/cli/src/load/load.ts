import { setTimeout as pause } from 'node:timers/promises'
import {
  EinvoicingError,
  type EinvoicingClient,
  type ListQuery,
  type Status,
} from '@einvoicing/client'
import type { Run } from '../run'
import { Statistics } from './statistics'
import { createTestInvoice, newBuyerIce } from './test-invoice'
import { inParallel } from './in-parallel'
import { progressLine } from './progress'
import type { LoadReport } from './report'

export interface LoadOptions {
  count: number
  concurrency: number
  wait: boolean
}

// Requests in flight get this long after Ctrl-C.
const graceMs = 5_000
const pollMs = 1_000
const redrawMs = 200
const undecided = ['SIGNED', 'TRANSMITTED'] as const
const decided = ['ACCEPTED', 'REJECTED', 'FAILED'] as const

export class Load {
  /** Ended the waiting, or left counts out of the report. */
  countingFailure: EinvoicingError | undefined
  readonly #run: Run
  readonly #options: LoadOptions
  readonly #client: EinvoicingClient
  readonly #statistics = new Statistics()
  readonly #buyerIce = newBuyerIce()
  readonly #over = new AbortController()
  #fatal: EinvoicingError | undefined
  #firstError: EinvoicingError | undefined
  #created = 0
  #progress = { done: 0, total: 0, what: '' }

  constructor(run: Run, options: LoadOptions) {
    this.#run = run
    this.#options = options
    const { fetch } = this.#statistics
    const { signal } = this.#over
    const onPause = () => this.#draw()
    // A whole window of the rate limit may have to pass, more than once.
    this.#client = run.connect({ fetch, signal, onPause, deadlineMs: 600_000 })
    run.interrupted.addEventListener('abort', () => {
      setTimeout(() => this.#over.abort(run.interrupted.reason), graceMs).unref()
    })
  }

  get creationFailure(): EinvoicingError | undefined {
    return this.#fatal ?? this.#firstError
  }

  /** Throws an error that would affect every request: no connection, an invalid key. */
  async run(): Promise<LoadReport> {
    const redraw = setInterval(() => this.#draw(), redrawMs)
    try {
      const startedAt = performance.now()
      await this.#createAll()
      const creatingMs = performance.now() - startedAt
      if (this.#options.wait) await this.#awaitDecisions()
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
      await this.#client.createInvoice(createTestInvoice(this.#buyerIce, index))
      this.#created += 1
    } catch (error) {
      if (this.#over.signal.aborted) return
      if (!(error instanceof EinvoicingError)) throw error
      this.#statistics.countError(error.code)
      this.#firstError ??= error
      // An error about one invoice may not concern the next; other errors do.
      if (error.status === undefined || error.status === 401) this.#fatal ??= error
    }
    this.#progress = { done: this.#created, total: this.#options.count, what: 'created' }
  }

  /** Polls counts instead of invoices, which costs few requests. */
  async #awaitDecisions(): Promise<void> {
    const { interrupted } = this.#run
    while (!interrupted.aborted) {
      const counts = await this.#counts(undecided)
      if (!counts) return
      // An invoice that changed status between two requests is counted twice.
      const waiting = Math.min(this.#created, sum(counts))
      this.#progress = { done: this.#created - waiting, total: this.#created, what: 'decided' }
      if (waiting === 0) return
      await pause(pollMs, undefined, { signal: interrupted }).catch(() => undefined)
    }
  }

  async #report(creatingMs: number): Promise<LoadReport> {
    const statuses = await this.#counts([...undecided, ...decided])
    // The service knows more if responses were lost. A separate request, because statuses are
    // counted one after the other and change.
    const created = (await this.#count({})) ?? this.#created
    return {
      buyerIce: this.#buyerIce,
      asked: this.#options.count,
      created,
      statuses: statuses ?? null,
      errors: Object.fromEntries(this.#statistics.errors),
      faults: Object.fromEntries(this.#statistics.failures),
      creation: {
        p50Ms: this.#statistics.percentileMs(0.5),
        p99Ms: this.#statistics.percentileMs(0.99),
        perSecond: Math.round((created / creatingMs) * 10_000) / 10,
      },
      interrupted: this.#run.interrupted.aborted,
    }
  }

  /** `undefined` if the service cannot be reached, or no time is left. */
  async #counts(statuses: readonly Status[]): Promise<Counts | undefined> {
    const counted: Counts = {}
    for (const status of statuses) {
      const count = await this.#count({ status })
      if (count === undefined) return undefined
      if (count > 0) counted[status] = count
    }
    return counted
  }

  async #count(query: ListQuery): Promise<number | undefined> {
    try {
      const page = await this.#client.listPage({ ...query, buyerIce: this.#buyerIce, size: 1 })
      return page.totalElements
    } catch (error) {
      if (this.#over.signal.aborted) return undefined
      if (!(error instanceof EinvoicingError)) throw error
      this.countingFailure ??= error
      return undefined
    }
  }

  #draw(): void {
    const { done, total, what } = this.#progress
    const slowSeconds = Math.ceil((this.#statistics.slowUntil - Date.now()) / 1_000)
    const slow = slowSeconds > 0 ? `, waiting for the rate limit: ${slowSeconds} s` : ''
    const text = `${done}/${total} ${what}${slow}`
    this.#run.terminal.showProgress(progressLine(done, total, text))
  }
}

type Counts = Partial<Record<Status, number>>

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
