// Failures of one cause are one warning, again every ten minutes, and one line at the end.

import type { Log } from './log'

export interface OutageOptions {
  log: Log
  startMessage: string
  endMessage: string
  level?: 'warn' | 'error'
  /** Milliseconds after which a failure that is not repeated is over. */
  forgottenMs?: number
  nowMs?: () => number
}

const remindMs = 600_000
const usualForgottenMs = 300_000
const failingMax = 100_000

export class Outage {
  private readonly failing = new Map<string, number>()
  private sinceMs = 0
  private loggedMs = 0
  private failures = 0
  private readonly options: OutageOptions
  private readonly nowMs: () => number

  constructor(options: OutageOptions) {
    this.options = options
    this.nowMs = options.nowMs ?? (() => performance.now())
  }

  failed(key: string, fields: object): void {
    const nowMs = this.nowMs()
    this.forget(nowMs)
    const begins = this.failing.size === 0
    this.failing.delete(key)
    if (this.failing.size < failingMax) this.failing.set(key, nowMs)
    if (begins) {
      this.sinceMs = nowMs
      this.failures = 0
    }
    this.failures += 1
    this.write(begins, fields, nowMs)
  }

  recovered(key: string): void {
    if (this.failing.size === 0) return
    this.failing.delete(key)
    this.endIfOver()
  }

  /** For failures that nothing reports as recovered. */
  expire(): void {
    if (this.failing.size > 0) this.endIfOver()
  }

  private endIfOver(): void {
    const nowMs = this.nowMs()
    this.forget(nowMs)
    if (this.failing.size > 0) return
    const { log, endMessage } = this.options
    log.info({ failures: this.failures, lastedMs: Math.round(nowMs - this.sinceMs) }, endMessage)
  }

  private write(begins: boolean, fields: object, nowMs: number): void {
    const { log, startMessage, level = 'warn' } = this.options
    if (!begins && nowMs - this.loggedMs < remindMs) {
      log.debug(fields, startMessage)
      return
    }
    this.loggedMs = nowMs
    const lasting = {
      failing: this.failing.size,
      failures: this.failures,
      lastedMs: Math.round(nowMs - this.sinceMs),
    }
    log[level](begins ? fields : { ...fields, ...lasting }, startMessage)
  }

  private forget(nowMs: number): void {
    const { forgottenMs = usualForgottenMs } = this.options
    for (const [key, failedMs] of this.failing) {
      if (nowMs - failedMs < forgottenMs) return
      this.failing.delete(key)
    }
  }
}
