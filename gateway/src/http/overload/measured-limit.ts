import { performance } from 'node:perf_hooks'
import { metrics } from '@einvoicing/runtime/metrics'
import { Gauge } from 'prom-client'

const limitNow = new Gauge({
  name: 'einvoicing_requests_in_flight_limit',
  help: 'How many requests may be worked on at once, as measured',
  registers: [metrics],
})

export interface LimitOptions {
  min: number
  max: number
  /** How long an accepted request may take under load. */
  targetMs: number
}

/** Little's law: as many requests as finish in `targetMs`, measured under load. */
export class MeasuredLimit {
  isOverloaded = false
  private limit: number
  private answered = 0
  private finished = 0
  private finishedMs = 0
  private rejected = 0
  private windowBeganAt = performance.now()
  private readonly options: LimitOptions

  constructor(options: LimitOptions) {
    this.options = options
    this.limit = options.max
  }

  get value(): number {
    return this.limit
  }

  /** A request whose client left took its time, but was not answered. */
  countFinished(workedMs: number, isAnswered: boolean): void {
    if (isAnswered) this.answered += 1
    this.finished += 1
    this.finishedMs += workedMs
  }

  countRejected(): void {
    this.rejected += 1
  }

  measure(): void {
    const now = performance.now()
    const elapsedMs = now - this.windowBeganAt
    const { min, max, targetMs } = this.options
    const isSlow = this.finished > 0 && this.finishedMs / this.finished > targetMs
    this.isOverloaded = this.rejected > 0 || isSlow
    if (this.isOverloaded) {
      const finishedInTarget = (this.answered / elapsedMs) * targetMs
      // Half of the way, to smooth outliers.
      this.limit = Math.max(min, Math.round((this.limit + Math.min(max, finishedInTarget)) / 2))
    } else {
      this.limit = Math.min(max, Math.ceil(this.limit * 1.5))
    }
    this.answered = this.finished = this.finishedMs = this.rejected = 0
    this.windowBeganAt = now
    limitNow.set(this.limit)
  }
}
