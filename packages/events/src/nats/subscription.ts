// Fetches only what it has space for; processes with the same subscriber name share its events.

import { setTimeout as delay } from 'node:timers/promises'
import type { ConsumerInfo, ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import type { InvoiceEvent, EventType } from '../event'
import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'
import type { EventHandler } from '../bus'
import { deliveryOutage, toLogFields } from '../delivery-outage'
import { decodeEvent } from './messages'
import type { NatsConnector } from './connection'
import { ackWaitMs, type Subscriber } from './streams'

const backoffMs = { first: 200, max: 30_000 } as const
const againMaxMs = 24 * 3_600_000
const fetchMs = 10_000
const pauseMs = 1_000
// Marks of events that another process settled are never removed here; the oldest are forgotten.
const knownMax = 100_000

interface Known {
  /** The newest: an older one may be of a deleted stream. */
  message: JsMsg
  attempt: number
  isRunning: boolean
  failures: number
  failingSinceMs: number
}

export interface SubscriptionDeps {
  subscriber: Subscriber
  inFlightMax: number
  onEvent: EventHandler<EventType>
  link: NatsConnector
  consumer: () => Promise<ConsumerInfo>
  ensure: () => Promise<void>
  bury: (message: JsMsg, subscriber: Subscriber, cause: unknown) => Promise<void>
  maxRedeliveryAgeMs: number
  log: Log
}

export class NatsSubscription {
  private readonly known = new Map<string, Known>()
  private readonly running = new Set<Promise<void>>()
  private onSlotFree: (() => void) | undefined
  private fetching: ConsumerMessages | undefined
  private readonly closing = new AbortController()
  private readonly options: SubscriptionDeps
  private readonly outage: Outage
  private readonly fetchOutage: Outage

  constructor(deps: SubscriptionDeps) {
    this.options = deps
    const { log, subscriber } = deps
    this.outage = deliveryOutage(subscriber.name, log)
    this.fetchOutage = new Outage({
      log: log.child({ subscriber: subscriber.name }),
      startMessage: 'fetching events failed, retrying',
      endMessage: 'events are fetched again',
    })
    void this.run()
  }

  async close(): Promise<void> {
    this.closing.abort()
    this.onSlotFree?.()
    await this.fetching?.close()
    await Promise.all(this.running)
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted
  }

  private async run(): Promise<void> {
    const { signal } = this.closing
    while (!this.isClosing()) {
      try {
        await this.fetchEvents()
        this.fetchOutage.recovered('fetch')
      } catch (err) {
        if (this.isClosing()) return
        const { link, ensure } = this.options
        // A lost connection is logged where it was lost.
        if (link.isConnected()) this.fetchOutage.failed('fetch', { err })
        await delay(pauseMs, undefined, { signal }).catch(ignore)
        if (link.isConnected()) await ensure().catch(ignore)
      }
    }
  }

  private async fetchEvents(): Promise<void> {
    const { inFlightMax, link, consumer } = this.options
    const freeSlots = inFlightMax - this.running.size
    if (freeSlots <= 0) return new Promise((resolve) => (this.onSlotFree = resolve))
    await link.waitForSession()
    const { consumers } = link.getSession().js
    const options = { max_messages: freeSlots, expires: fetchMs }
    this.fetching = await consumers.getConsumerFromInfo(await consumer()).fetch(options)
    if (this.isClosing()) await this.fetching.close()
    for await (const message of this.fetching) this.take(message)
  }

  private take(message: JsMsg): void {
    if (this.isClosing()) {
      message.nak()
      return
    }
    const work = this.settle(message).finally(() => {
      this.running.delete(work)
      this.onSlotFree?.()
    })
    this.running.add(work)
  }

  private async settle(message: JsMsg): Promise<void> {
    let event: InvoiceEvent
    try {
      event = decodeEvent(message.data, this.options.subscriber.type)
    } catch (error) {
      return this.deadLetter(message, error)
    }
    const known = this.register(event.id, message)
    // Delivered again while it runs, as after a pause of this process: one of the two settles it.
    if (known) await this.deliver(event, known)
  }

  private register(eventId: string, message: JsMsg): Known | undefined {
    const before = this.known.get(eventId)
    if (before) before.message = message
    if (before?.isRunning) return undefined
    // A stream created again counts from one, but the attempts of an event must go on.
    const attempt = Math.max(message.info.deliveryCount, (before?.attempt ?? 0) + 1)
    const { failures, failingSinceMs } = before ?? { failures: 0, failingSinceMs: 0 }
    const known = { message, attempt, isRunning: true, failures, failingSinceMs }
    this.known.delete(eventId)
    this.known.set(eventId, known)
    if (this.known.size > knownMax) this.forgetOldest()
    return known
  }

  private async deliver(event: InvoiceEvent, known: Known): Promise<void> {
    const heartbeat = setInterval(() => known.message.working(), ackWaitMs / 4)
    try {
      const again = await this.options.onEvent(event, { attempt: known.attempt })
      known.failures = 0
      this.outage.recovered(event.id)
      if (again) known.message.nak(Math.ceil(Math.min(again.againInMs, againMaxMs)))
      else known.message.ack()
      if (!again) this.known.delete(event.id)
    } catch (error) {
      await this.onThrown(event, known, error)
    } finally {
      clearInterval(heartbeat)
      known.isRunning = false
    }
  }

  private async onThrown(event: InvoiceEvent, known: Known, err: unknown): Promise<void> {
    if (known.failures === 0) known.failingSinceMs = performance.now()
    known.failures += 1
    if (performance.now() - known.failingSinceMs > this.options.maxRedeliveryAgeMs) {
      this.known.delete(event.id)
      return this.deadLetter(known.message, err)
    }
    const inMs = Math.min(backoffMs.max, backoffMs.first * 2 ** (known.failures - 1))
    this.outage.failed(event.id, { err, ...toLogFields(event), attempt: known.attempt, inMs })
    known.message.nak(inMs)
  }

  private async deadLetter(message: JsMsg, cause: unknown): Promise<void> {
    const { bury, subscriber, log } = this.options
    try {
      await bury(message, subscriber, cause)
      message.ack()
    } catch (err) {
      log.warn({ err, ...subscriber }, 'dead letter could not be stored, retrying')
      message.nak(backoffMs.max)
    }
  }

  private forgetOldest(): void {
    const [oldest] = this.known.keys()
    if (oldest !== undefined) this.known.delete(oldest)
  }
}

const ignore = (): void => undefined
