/**
 * While creations keep the process busy, what can wait goes on in small steps: a burst is answered
 * sooner, and what it leaves is done after it. Bounded, so that no load holds the archive up for
 * longer than minutes.
 */

import { setTimeout as wait } from 'node:timers/promises'

export interface RequestsFirstOptions {
  /** So many requests at once keep the process busy. */
  busyAt: number
  /** Busy until so long after it last was. */
  calmAfterMs: number
  /** A step is put off for no longer than this. */
  stepMs: number
  /** Nothing is put off any more after so long without rest. */
  longestMs: number
  /** Without being busy, until the above begins again. */
  restMs: number
}

const usual: RequestsFirstOptions = {
  busyAt: 4,
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
  private busySince = -Infinity
  private busyAt = -Infinity

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

  /** Before each step of what can wait. Resolves to whether the step should be a small one. */
  async giveWay(closing: () => boolean): Promise<boolean> {
    const until = this.nowMs() + this.options.stepMs
    while (this.mustGiveWay() && !closing()) {
      const leftMs = until - this.nowMs()
      if (leftMs <= 0) return true
      await wait(Math.min(lookMs, leftMs))
    }
    return false
  }

  private mustGiveWay(): boolean {
    const { calmAfterMs, longestMs } = this.options
    const nowMs = this.nowMs()
    return nowMs - this.busyAt < calmAfterMs && nowMs - this.busySince < longestMs
  }

  private noteBusy(): void {
    if (this.underway < this.options.busyAt) return
    const nowMs = this.nowMs()
    if (nowMs - this.busyAt > this.options.restMs) this.busySince = nowMs
    this.busyAt = nowMs
  }
}
