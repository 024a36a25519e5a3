import type { ServerResponse } from 'node:http'

export interface SlotCounter {
  enter(organizationId: string | undefined): void
  leave(organizationId: string | undefined): void
  /** Throws if the organization holds more than its share. */
  admit(organizationId: string, keyDigest: Uint8Array | undefined): void
  countFinished(workedMs: number, isAnswered: boolean): void
  /** Of a request that waited in a queue of its own, without a slot. */
  countQueueRejection(queue: string): void
  /** At the pace of rejections (decision 0133). */
  sendPaced(response: ServerResponse, send: () => void): void
}

class Slot {
  private organizationId: string | undefined
  private isAuthenticated = false
  private isHeld = true
  private since = performance.now()
  private workedMs = 0
  private readonly counter: SlotCounter
  private readonly response: ServerResponse

  constructor(counter: SlotCounter, response: ServerResponse, owner: string | undefined) {
    this.counter = counter
    this.response = response
    this.organizationId = owner
    counter.enter(owner)
    const end = (): void => {
      if (this.release()) counter.countFinished(this.workedMs, response.writableEnded)
    }
    // Once the answer is written, how fast the client reads it is not our load.
    response.once('prefinish', end)
    response.once('close', end)
  }

  /** Throws if the organization holds more than its share. */
  assign(organizationId: string, keyDigest?: Uint8Array): void {
    if (this.isAuthenticated || !this.isHeld) return
    this.isAuthenticated = true
    if (this.organizationId === organizationId) return
    this.counter.admit(organizationId, keyDigest)
    this.counter.leave(this.organizationId)
    this.counter.enter(organizationId)
    this.organizationId = organizationId
  }

  async releaseWhileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    const wasHeld = this.release()
    // If this throws, only the error is left to send.
    const result = await wait()
    if (wasHeld && !this.response.destroyed && !this.response.writableEnded) this.take()
    return result
  }

  /** `queue`: where it waited, for the log. */
  countRejection(queue: string): void {
    this.counter.countQueueRejection(queue)
  }

  release(): boolean {
    if (!this.isHeld) return false
    this.isHeld = false
    this.workedMs += performance.now() - this.since
    this.counter.leave(this.organizationId)
    return true
  }

  /** For an answer after which a client may ask again at once; it waits without the slot. */
  sendPaced(send: () => void): void {
    this.release()
    this.counter.sendPaced(this.response, send)
  }

  private take(): void {
    this.isHeld = true
    this.since = performance.now()
    this.counter.enter(this.organizationId)
  }
}

const slotKey = Symbol('slot')
type WithSlot = ServerResponse & { [slotKey]?: Slot }

/** `owner`: the organization, if known already. */
export function openSlot(
  counter: SlotCounter,
  response: ServerResponse,
  owner: string | undefined,
): void {
  ;(response as WithSlot)[slotKey] = new Slot(counter, response, owner)
}

/** Absent for requests that are never rejected. */
export function findSlot(response: ServerResponse): Slot | undefined {
  return (response as WithSlot)[slotKey]
}

export function releaseWhileWaiting<T>(
  response: ServerResponse,
  wait: () => Promise<T>,
): Promise<T> {
  const slot = findSlot(response)
  return slot ? slot.releaseWhileWaiting(wait) : wait()
}
