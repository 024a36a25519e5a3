/**
 * The bus of one process: memory only, at least once while the process lives.
 *
 * Refuses to be a second record: after a crash the store's outbox and sweeper publish again what
 * was not settled. A fact already waiting or at work under the same id is one fact.
 *
 * Holds a bounded number of facts. When it is full, an organization that holds few still gets its
 * facts in: for each of them one that waits is forgotten, of the organization that holds most. The
 * store's sweeper brings it back.
 */

import type { InvoiceEvent, EventType } from '../event'
import type { Log } from '@einvoicing/runtime/log'
import type { Outage } from '@einvoicing/runtime/outage'
import { BusFull, type Bus, type EventHandler, type SubscriptionOptions } from '../bus'
import { deliveryOutage, toLogFields } from '../delivery-outage'
import { HeldEvents, type Held } from './held-events'
import { Queue } from './queue'
import { withTraces } from '../traced-bus'

const factsHeldMax = 20_000
const backoffMs = { first: 200, max: 30_000 } as const
// A longer timer of Node's fires at once.
const timerMaxMs = 2 ** 31 - 1

class Subscription {
  private readonly ready = new Queue<Held>()
  private readonly held = new HeldEvents()
  private readonly atWork = new Set<Promise<void>>()
  private closed = false
  private readonly options: SubscriptionOptions
  private readonly onFact: EventHandler<EventType>
  private readonly outage: Outage

  constructor(options: SubscriptionOptions, onFact: EventHandler<EventType>, log: Log) {
    this.options = options
    this.onFact = onFact
    this.outage = deliveryOutage(options.name, log)
  }

  canTake(fact: InvoiceEvent): boolean {
    return this.held.has(fact.id) || this.held.size < factsHeldMax || this.held.canMakeRoom(fact)
  }

  take(fact: InvoiceEvent): void {
    if (this.held.has(fact.id)) return
    if (this.held.size >= factsHeldMax) this.held.makeRoom()
    const held = { fact, attempt: 1, failures: 0 }
    this.held.add(held)
    this.ready.push(held)
    this.deliverReady()
  }

  async close(): Promise<void> {
    this.closed = true
    this.held.stopWaiting()
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
    // A subscriber must never run inside the publisher's call.
    await new Promise(setImmediate)
    if (this.closed) return
    try {
      const again = await this.onFact(fact, { attempt })
      this.outage.recovered(fact.id)
      held.failures = 0
      if (again) this.deliverLater(held, again.againInMs)
      else this.held.delete(held)
    } catch (err) {
      const inMs = Math.min(backoffMs.max, backoffMs.first * 2 ** held.failures)
      this.outage.failed(fact.id, { err, ...toLogFields(fact), attempt, inMs })
      held.failures += 1
      this.deliverLater(held, inMs)
    }
  }

  private deliverLater(held: Held, inMs: number): void {
    if (this.closed) return
    held.attempt += 1
    const deliver = () => {
      this.held.endWait(held)
      this.ready.push(held)
      this.deliverReady()
    }
    this.held.beginWait(held, setTimeout(deliver, Math.min(inMs, timerMaxMs)))
  }
}

export function openInProcessBus(log: Log): Bus {
  const subscriptions = new Map<EventType, Subscription[]>()
  /**
   * Facts published before anybody subscribed to their type, as at start: the first subscriber gets
   * them.
   */
  const unclaimed = new Map<EventType, InvoiceEvent[]>()
  let closed = false

  const keepUnclaimed = (fact: InvoiceEvent): void => {
    const facts = unclaimed.get(fact.type) ?? []
    if (facts.length >= factsHeldMax) throw full()
    unclaimed.set(fact.type, facts)
    facts.push(fact)
  }

  return withTraces({
    name: 'bus',
    async publish(fact) {
      if (closed) throw new Error('the bus is closed')
      const takers = subscriptions.get(fact.type)
      if (!takers) keepUnclaimed(fact)
      else if (takers.every((taker) => taker.canTake(fact)))
        takers.forEach((taker) => taker.take(fact))
      else throw full()
    },
    subscribe(type, options, onFact) {
      const taker = new Subscription(options, onFact as unknown as EventHandler<EventType>, log)
      subscriptions.set(type, [...(subscriptions.get(type) ?? []), taker])
      for (const fact of unclaimed.get(type) ?? []) taker.take(fact)
      unclaimed.delete(type)
    },
    // Lost with the process alone, and at start everything is published again.
    onLoss: () => undefined,
    check: async () => undefined,
    async close() {
      closed = true
      await Promise.all([...subscriptions.values()].flat().map((taker) => taker.close()))
    },
  })
}

function full(): Error {
  return new BusFull(`the bus holds ${factsHeldMax} facts`)
}
