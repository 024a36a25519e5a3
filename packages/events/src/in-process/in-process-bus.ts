// In memory: after a crash the outbox and the sweeper publish again. When full, it drops an event
// of the organization with most, until the sweeper publishes it again.

import type { InvoiceEvent, EventType } from '../event'
import type { Log } from '@einvoicing/runtime/log'
import type { Outage } from '@einvoicing/runtime/outage'
import { Queue } from '@einvoicing/runtime/queue'
import { BusFull, type Bus, type EventHandler, type SubscriptionOptions } from '../bus'
import { deliveryOutage, toLogFields } from '../delivery-outage'
import { HeldEvents, type Held } from './held-events'
import { withTraces } from '../traced-bus'

const eventsHeldMax = 20_000
// Made once: its stack would cost more than all else.
const busFull = new BusFull(`the event bus is full: ${eventsHeldMax} events`)
const backoffMs = { first: 200, max: 30_000 } as const
// A longer timer of Node's fires at once.
const timerMaxMs = 2 ** 31 - 1

class Subscription {
  private readonly ready = new Queue<Held>()
  private readonly held = new HeldEvents()
  private readonly running = new Set<Promise<void>>()
  private closed = false
  private readonly options: SubscriptionOptions
  private readonly onEvent: EventHandler<EventType>
  private readonly outage: Outage

  constructor(options: SubscriptionOptions, onEvent: EventHandler<EventType>, log: Log) {
    this.options = options
    this.onEvent = onEvent
    this.outage = deliveryOutage(options.name, log)
  }

  canTake(event: InvoiceEvent): boolean {
    return this.held.has(event.id) || this.held.size < eventsHeldMax || this.held.canEvict(event)
  }

  take(event: InvoiceEvent): void {
    if (this.held.has(event.id)) return
    if (this.held.size >= eventsHeldMax) this.held.evictOldest()
    const held = { event, attempt: 1, failures: 0 }
    this.held.add(held)
    this.ready.push(held)
    this.deliverReady()
  }

  async close(): Promise<void> {
    this.closed = true
    this.held.stopWaiting()
    await Promise.all(this.running)
  }

  private deliverReady(): void {
    while (!this.closed && this.running.size < this.options.inFlightMax) {
      const next = this.ready.shift()
      if (!next) return
      const work = this.deliver(next).finally(() => {
        this.running.delete(work)
        this.deliverReady()
      })
      this.running.add(work)
    }
  }

  private async deliver(held: Held): Promise<void> {
    const { event, attempt } = held
    // A subscriber must never run inside the publisher's call.
    await new Promise(setImmediate)
    if (this.closed) return
    try {
      const again = await this.onEvent(event, { attempt })
      this.outage.recovered(event.id)
      held.failures = 0
      if (again) this.deliverLater(held, again.againInMs)
      else this.held.delete(held)
    } catch (err) {
      const inMs = Math.min(backoffMs.max, backoffMs.first * 2 ** held.failures)
      this.outage.failed(event.id, { err, ...toLogFields(event), attempt, inMs })
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
  /** Events published before the first subscription to their type, which gets them. */
  const unclaimed = new Map<EventType, InvoiceEvent[]>()
  let closed = false

  const storeUnclaimed = (event: InvoiceEvent): void => {
    const events = unclaimed.get(event.type) ?? []
    if (events.length >= eventsHeldMax) throw busFull
    unclaimed.set(event.type, events)
    events.push(event)
  }

  return withTraces({
    name: 'bus',
    async publish(event) {
      if (closed) throw new Error('the bus is closed')
      const takers = subscriptions.get(event.type)
      if (!takers) storeUnclaimed(event)
      else if (takers.every((taker) => taker.canTake(event)))
        takers.forEach((taker) => taker.take(event))
      else throw busFull
    },
    subscribe(type, options, onEvent) {
      const taker = new Subscription(options, onEvent as unknown as EventHandler<EventType>, log)
      subscriptions.set(type, [...(subscriptions.get(type) ?? []), taker])
      for (const event of unclaimed.get(type) ?? []) taker.take(event)
      unclaimed.delete(type)
      return taker
    },
    // Lost only with the process, and a start publishes everything again.
    onLoss: () => undefined,
    check: async () => undefined,
    async close() {
      closed = true
      await Promise.all([...subscriptions.values()].flat().map((taker) => taker.close()))
    },
  })
}
