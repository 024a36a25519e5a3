import type { ServerResponse } from 'node:http'

/** Where slots are counted. */
export interface SlotCounter {
  enter(organizationId: string | undefined): void
  leave(organizationId: string | undefined): void
  /** Throws where the organization holds more than its share. */
  admit(organizationId: string, keyDigest: Uint8Array | undefined): void
  countFinished(workedMs: number, isAnswered: boolean): void
}

/** What one request holds while it is worked on. */
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
    // The answer is made: how fast its client reads it says nothing about our load.
    response.once('prefinish', end)
    response.once('close', end)
  }

  /** Whose request it is, once authenticated. Throws where they hold more than their share. */
  assign(organizationId: string, keyDigest?: Uint8Array): void {
    if (this.isAuthenticated || !this.isHeld) return
    this.isAuthenticated = true
    if (this.organizationId === organizationId) return
    this.counter.admit(organizationId, keyDigest)
    this.counter.leave(this.organizationId)
    this.counter.enter(organizationId)
    this.organizationId = organizationId
  }

  /** Waiting for the client costs nothing meanwhile. */
  async releaseWhileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    const wasHeld = this.release()
    // Where this throws only the error is left to send, however slowly that is read.
    const result = await wait()
    if (wasHeld && !this.response.destroyed && !this.response.writableEnded) this.take()
    return result
  }

  /** Also for an answer that goes on without an end of its own. */
  release(): boolean {
    if (!this.isHeld) return false
    this.isHeld = false
    this.workedMs += performance.now() - this.since
    this.counter.leave(this.organizationId)
    return true
  }

  private take(): void {
    this.isHeld = true
    this.since = performance.now()
    this.counter.enter(this.organizationId)
  }
}

const slots = new WeakMap<ServerResponse, Slot>()

/** `owner`: whose request it seems to be, if that is known yet. */
export function openSlot(
  counter: SlotCounter,
  response: ServerResponse,
  owner: string | undefined,
): void {
  slots.set(response, new Slot(counter, response, owner))
}

/** Absent for requests that are never rejected. */
export function findSlot(response: ServerResponse): Slot | undefined {
  return slots.get(response)
}

/** Waits for the client, without its slot. */
export function releaseWhileWaiting<T>(
  response: ServerResponse,
  wait: () => Promise<T>,
): Promise<T> {
  const slot = slots.get(response)
  return slot ? slot.releaseWhileWaiting(wait) : wait()
}
