import { unavailable } from '@einvoicing/domain/api-error'
import { FairQueue, type Waiting } from './fair-queue'

export class Slots {
  private readonly turns: FairQueue
  private free: number

  constructor(count: number, waitingMax: number) {
    this.free = count
    this.turns = new FairQueue(waitingMax)
  }

  /** Release by `leave`. SERVICE_UNAVAILABLE when the queue is full or `signal` is aborted. */
  enter(lane: string, signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const rejectWaiting = () => reject(unavailable('The drawing of documents'))
      const waiting: Waiting = { start: resolve, reject: rejectWaiting }
      if (!this.turns.add(lane, waiting)) {
        rejectWaiting()
        return
      }
      signal.addEventListener('abort', () => {
        this.turns.remove(lane, waiting)
        rejectWaiting()
      })
    })
  }

  leave(): void {
    const next = this.turns.next()
    if (next) next.start()
    else this.free += 1
  }
}
