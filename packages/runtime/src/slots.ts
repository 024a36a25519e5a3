import { FairQueue, type Waiting } from './fair-queue'

export interface SlotOptions {
  count: number
  waitingMax: number
  /** Thrown by `enter` when the queue is full, or when `signal` is aborted. */
  toError: () => Error
}

export class Slots {
  private readonly turns: FairQueue
  private free: number
  private readonly toError: () => Error

  constructor({ count, waitingMax, toError }: SlotOptions) {
    this.turns = new FairQueue(waitingMax)
    this.free = count
    this.toError = toError
  }

  /** `signal` ends the wait, not the work. */
  async run<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(lane, signal)
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Release by `leave`. */
  enter(lane: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(this.toError())
    if (this.free > 0) {
      this.free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const rejectWaiting = () => reject(this.toError())
      const leaveQueue = () => {
        this.turns.remove(lane, waiting)
        rejectWaiting()
      }
      const start = () => {
        signal.removeEventListener('abort', leaveQueue)
        resolve()
      }
      const waiting: Waiting = { start, reject: rejectWaiting }
      if (this.turns.add(lane, waiting)) signal.addEventListener('abort', leaveQueue)
      else rejectWaiting()
    })
  }

  leave(): void {
    const next = this.turns.next()
    if (next) next.start()
    else this.free += 1
  }
}
