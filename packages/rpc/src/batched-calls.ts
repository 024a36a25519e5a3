// Requests that wait share the next call; an idle service gets one at once.

import { noAnswer, unavailable } from '@einvoicing/domain/api-error'
import type { Call } from './call'

export interface Batched<Item> {
  item: Item
  /** Of the first request, with the latest deadline of all. */
  call: Call
}

/** Settles each item, in any order. An error is the answer to those that are left. */
export type SendBatch<Item, Answer> = (
  batch: readonly Batched<Item>[],
  settle: (place: number, outcome: PromiseSettledResult<Answer>) => void,
) => Promise<void>

export interface BatchOptions<Item> {
  what: string
  /** Items with the same key are sent once. */
  keyOf?: (item: Item) => string
  itemsMax: number
  waitingMax: number
  /** Further calls wait until a batch is full. */
  callsAtOnce: number
  /** After this a call no longer counts towards `callsAtOnce`. */
  slowAfterMs: number
}

interface Waiter<Answer> {
  settle(outcome: PromiseSettledResult<Answer>): void
}

interface Entry<Item, Answer> extends Batched<Item> {
  key: string | undefined
  waiters: Set<Waiter<Answer>>
}

export class BatchedCalls<Item, Answer> {
  private waiting: Entry<Item, Answer>[] = []
  private readonly waitingByKey = new Map<string, Entry<Item, Answer>>()
  private waiters = 0
  private promptCalls = 0
  private turn: NodeJS.Immediate | undefined
  private readonly send: SendBatch<Item, Answer>
  private readonly options: BatchOptions<Item>

  constructor(send: SendBatch<Item, Answer>, options: BatchOptions<Item>) {
    this.send = send
    this.options = options
  }

  add(item: Item, call: Call): Promise<Answer> {
    const { what, waitingMax, itemsMax } = this.options
    if (this.waiters >= waitingMax) {
      const cause = new Error(`${waitingMax} requests wait for the next call`)
      return Promise.reject(unavailable(what, cause))
    }
    return new Promise((resolve, reject) => {
      const entry = this.entryFor(item, call)
      const waiter: Waiter<Answer> = {
        settle(outcome) {
          clearTimeout(timer)
          if (outcome.status === 'fulfilled') resolve(outcome.value)
          else reject(outcome.reason as Error)
        },
      }
      const timer = setTimeout(() => {
        this.leave(entry, waiter)
        reject(noAnswer(what, new Error('no call answered before the deadline')))
      }, call.deadline - Date.now())
      entry.waiters.add(waiter)
      this.waiters += 1
      if (this.waiting.length >= itemsMax) this.begin()
      else this.beginSoon()
    })
  }

  private entryFor(item: Item, call: Call): Entry<Item, Answer> {
    const key = this.options.keyOf?.(item)
    const known = key === undefined ? undefined : this.waitingByKey.get(key)
    if (known) {
      if (call.deadline > known.call.deadline) {
        known.call = { ...known.call, deadline: call.deadline }
      }
      return known
    }
    const entry: Entry<Item, Answer> = { item, call, key, waiters: new Set() }
    this.waiting.push(entry)
    if (key !== undefined) this.waitingByKey.set(key, entry)
    return entry
  }

  private leave(entry: Entry<Item, Answer>, waiter: Waiter<Answer>): void {
    entry.waiters.delete(waiter)
    const place = this.waiting.indexOf(entry)
    if (place < 0) return
    this.waiters -= 1
    if (entry.waiters.size > 0) return
    this.waiting.splice(place, 1)
    if (entry.key !== undefined) this.waitingByKey.delete(entry.key)
  }

  /** At the end of this turn of the event loop, so that all its items share the call. */
  private beginSoon(): void {
    if (this.promptCalls >= this.options.callsAtOnce) return
    this.turn ??= setImmediate(() => {
      this.turn = undefined
      while (this.waiting.length > 0 && this.promptCalls < this.options.callsAtOnce) this.begin()
    })
  }

  private begin(): void {
    const batch = this.takeBatch()
    this.promptCalls += 1
    let isPrompt = true
    const makeWay = () => {
      if (!isPrompt) return
      isPrompt = false
      this.promptCalls -= 1
      if (this.waiting.length > 0) this.beginSoon()
    }
    const slow = setTimeout(makeWay, this.options.slowAfterMs)
    void this.answer(batch).finally(() => {
      clearTimeout(slow)
      makeWay()
    })
  }

  private takeBatch(): Entry<Item, Answer>[] {
    const batch = this.waiting.splice(0, this.options.itemsMax)
    for (const { key, waiters } of batch) {
      if (key !== undefined) this.waitingByKey.delete(key)
      this.waiters -= waiters.size
    }
    return batch
  }

  private async answer(batch: readonly Entry<Item, Answer>[]): Promise<void> {
    const settle = (place: number, outcome: PromiseSettledResult<Answer>) => {
      const waiters = batch[place]?.waiters ?? []
      for (const waiter of waiters) waiter.settle(outcome)
    }
    const unanswered = await this.send(batch, settle).then(
      () => new Error(shortAnswer),
      (error: unknown) => error,
    )
    // Those that were settled do not change.
    for (const place of batch.keys()) settle(place, { status: 'rejected', reason: unanswered })
  }
}

const shortAnswer = 'a call returned fewer answers than it had items'
