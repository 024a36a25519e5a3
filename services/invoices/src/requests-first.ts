/** While creations keep the process busy, background work takes small steps. */

import { setTimeout as wait } from 'node:timers/promises'

export interface RequestsFirstOptions {
  /** Requests at once. */
  busyRequestsMin: number
  calmAfterMs: number
  /** The longest delay of a step. */
  stepMs: number
  /** The longest time in which steps are delayed. */
  longestMs: number
  /** Idle time after which `longestMs` begins again. */
  restMs: number
}

const usual: RequestsFirstOptions = {
  busyRequestsMin: 4,
  calmAfterMs: 100,
  stepMs: 1_000,
  longestMs: 300_000,
  restMs: 5_000,
}

const lookMs = 50

export class RequestsFirst {
  private readonly options: RequestsFirstOptions
  private readonly nowMs: () => number
  private underway = 0
  private busySinceMs = -Infinity
  private lastBusyMs = -Infinity

  constructor(options: Partial<RequestsFirstOptions> = {}, nowMs = () => performance.now()) {
    this.options = { ...usual, ...options }
    this.nowMs = nowMs
  }

  async serve<T>(request: () => Promise<T>): Promise<T> {
    this.underway += 1
    this.noteBusy()
    try {
      return await request()
    } finally {
      this.noteBusy()
      this.underway -= 1
    }
  }

  /** Call it before each step; true: take a small step. */
  async giveWay(closing: () => boolean): Promise<boolean> {
    const until = this.nowMs() + this.options.stepMs
    while (this.mustGiveWay() && !closing()) {
      const leftMs = until - this.nowMs()
      if (leftMs <= 0) return true
      await wait(Math.min(lookMs, leftMs))
    }
    return false
  }

  /** While it is true, background work gives way. */
  mustGiveWay(): boolean {
    const { calmAfterMs, longestMs } = this.options
    const nowMs = this.nowMs()
    return nowMs - this.lastBusyMs < calmAfterMs && nowMs - this.busySinceMs < longestMs
  }

  private noteBusy(): void {
    if (this.underway < this.options.busyRequestsMin) return
    const nowMs = this.nowMs()
    if (nowMs - this.lastBusyMs > this.options.restMs) this.busySinceMs = nowMs
    this.lastBusyMs = nowMs
  }
}
