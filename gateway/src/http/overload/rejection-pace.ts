import type { Duplex } from 'node:stream'

/** Of the event loop's time. To read what is then rejected takes several times as much. */
const shareOfTime = 0.05
/** After a quiet time so much is sent without delay. */
const savedMaxMs = 20
const waitingMax = 10_000
const tickMs = 5

export interface PaceOptions {
  waitMaxMs: number
  /** Milliseconds. */
  now?: () => number
}

/**
 * Sends rejections in their order, at a pace that leaves the event loop to accepted requests: a
 * client that ignores `Retry-After` can send its next request only after the answer (decision 0132).
 */
export class RejectionPace {
  private readonly waiting = new Map<Duplex, Rejection>()
  private savedMs = savedMaxMs
  private savedAt: number
  private timer: NodeJS.Timeout | undefined
  private readonly waitMaxMs: number
  private readonly now: () => number

  constructor({ waitMaxMs, now = () => performance.now() }: PaceOptions) {
    this.waitMaxMs = waitMaxMs
    this.now = now
    this.savedAt = now()
  }

  /**
   * One waits for each connection: what a client sent ahead would fill the memory. `weight`: how
   * many times longer than the sending the whole request takes.
   */
  add(connection: Duplex, send: () => void, weight: number): void {
    const mayWait = this.waiting.size < waitingMax && !this.waiting.has(connection)
    this.saveTime()
    const isNext = this.waiting.size === 0 && this.savedMs > 0
    if (isNext || !mayWait) this.spend(send, weight)
    else {
      this.waiting.set(connection, { send, weight, since: this.now() })
      this.timer ??= setTimeout(() => this.sendDue(), tickMs)
    }
  }

  private sendDue(): void {
    for (const [connection, { send, weight, since }] of this.waiting) {
      this.saveTime()
      if (this.savedMs <= 0 && this.now() - since < this.waitMaxMs) break
      this.waiting.delete(connection)
      this.spend(send, weight)
    }
    this.timer = this.waiting.size > 0 ? setTimeout(() => this.sendDue(), tickMs) : undefined
  }

  private saveTime(): void {
    const now = this.now()
    this.savedMs = Math.min(savedMaxMs, this.savedMs + (now - this.savedAt) * shareOfTime)
    this.savedAt = now
  }

  private spend(send: () => void, weight: number): void {
    const beganAt = this.now()
    send()
    this.savedMs -= (this.now() - beganAt) * weight
  }
}

interface Rejection {
  send: () => void
  weight: number
  since: number
}
