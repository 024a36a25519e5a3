/**
 * The bus of one process: memory only, at least once while the process lives.
 *
 * Refuses to be a second record: after a crash the store's outbox and sweeper publish again what was not settled.
 * A fact already waiting or at work under the same id is one fact.
 */

import type { Fact, FactType } from '../fact'
import type { Log } from '../log'
import type { Bus, OnFact, SubscriptionOptions } from './bus'

const factsHeldMax = 20_000
const backoffMs = { first: 200, max: 30_000 } as const

interface Held {
  fact: Fact
  attempt: number
}

class Subscription {
  private readonly ready: Held[] = []
  private readonly held = new Set<string>()
  private readonly waiting = new Set<NodeJS.Timeout>()
  private readonly atWork = new Set<Promise<void>>()
  private closed = false
  private readonly options: SubscriptionOptions
  private readonly onFact: OnFact<FactType>
  private readonly log: Log

  constructor(options: SubscriptionOptions, onFact: OnFact<FactType>, log: Log) {
    this.options = options
    this.onFact = onFact
    this.log = log
  }

  get isFull(): boolean {
    return this.held.size >= factsHeldMax
  }

  take(fact: Fact): void {
    if (this.closed || this.held.has(fact.id)) return
    this.held.add(fact.id)
    this.ready.push({ fact, attempt: 1 })
    this.deliverReady()
  }

  async close(): Promise<void> {
    this.closed = true
    for (const timer of this.waiting) clearTimeout(timer)
    await Promise.all(this.atWork)
  }

  private deliverReady(): void {
    while (!this.closed && this.atWork.size < this.options.inFlightMax) {
      const next = this.ready.shift()
      if (!next) return
      const work = this.deliver(next).finally(() => {
        this.atWork.delete(work)
        this.deliverReady()
      })
      this.atWork.add(work)
    }
  }

  private async deliver(held: Held): Promise<void> {
    const { fact, attempt } = held
    try {
      // A subscriber must never run inside the publisher's call.
      await new Promise(setImmediate)
      const again = await this.onFact(fact, { attempt })
      if (again) this.deliverLater(held, again.againInMs)
      else this.held.delete(fact.id)
    } catch (err) {
      const inMs = Math.min(backoffMs.max, backoffMs.first * 2 ** (attempt - 1))
      const { name } = this.options
      this.log.warn(
        { err, type: fact.type, invoiceId: fact.subject, subscriber: name, attempt, inMs },
        'fact not taken, will be delivered again',
      )
      this.deliverLater(held, inMs)
    }
  }

  private deliverLater({ fact, attempt }: Held, inMs: number): void {
    if (this.closed) return
    const timer = setTimeout(() => {
      this.waiting.delete(timer)
      this.ready.push({ fact, attempt: attempt + 1 })
      this.deliverReady()
    }, inMs)
    this.waiting.add(timer)
  }
}

export function openLocalBus(log: Log): Bus {
  const subscriptions = new Map<FactType, Subscription[]>()
  return {
    async publish(fact) {
      const takers = subscriptions.get(fact.type) ?? []
      if (takers.some((taker) => taker.isFull))
        throw new Error(`the bus holds ${factsHeldMax} facts`)
      for (const taker of takers) taker.take(fact)
    },
    subscribe(type, options, onFact) {
      const taker = new Subscription(options, onFact as unknown as OnFact<FactType>, log)
      subscriptions.set(type, [...(subscriptions.get(type) ?? []), taker])
    },
    async close() {
      await Promise.all([...subscriptions.values()].flat().map((taker) => taker.close()))
    },
  }
}
