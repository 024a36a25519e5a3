/**
 * One subscriber to one type, in this process: asks for as many facts as it has room for, and
 * settles each by what its handler said.
 *
 * Facts wait at the server, for `againInMs` too, so that they take no room here. Two processes with
 * one name share them. What no handler can take is kept as a dead letter.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { ConsumerInfo, ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import type { InvoiceEvent, EventType } from '../event'
import type { Log } from '@einvoicing/runtime/log'
import type { Outage } from '@einvoicing/runtime/outage'
import type { EventHandler } from '../bus'
import { deliveryOutage, toLogFields } from '../delivery-outage'
import { decodeEvent } from './messages'
import type { NatsConnector } from './connection'
import { ackWaitMs, type Subscriber } from './streams'

const backoffMs = { first: 200, max: 30_000 } as const
const againMaxMs = 24 * 3_600_000
const fetchMs = 10_000
const pauseMs = 1_000
// Facts that another process settled are never settled here; the oldest are forgotten.
const knownMax = 100_000

/** A fact on its way, from one delivery to the next. */
interface Known {
  /** The newest: an older one may be of a stream that is gone. */
  message: JsMsg
  attempt: number
  isAtWork: boolean
  /** Failures in a row, and since when. */
  failures: number
  failingSinceMs: number
}

export interface SubscriptionDeps {
  subscriber: Subscriber
  inFlightMax: number
  onFact: EventHandler<EventType>
  link: NatsConnector
  /** What the subscriber's facts are taken from; rejects when it is not there. */
  consumer: () => Promise<ConsumerInfo>
  /** Makes stream and consumer anew when they are gone. */
  ensure: () => Promise<void>
  bury: (message: JsMsg, subscriber: Subscriber, cause: unknown) => Promise<void>
  /** How long a fact may be thrown at. */
  thrownAtMaxMs: number
  log: Log
}

export class NatsSubscription {
  private readonly known = new Map<string, Known>()
  private readonly atWork = new Set<Promise<void>>()
  private onRoom: (() => void) | undefined
  private fetching: ConsumerMessages | undefined
  private readonly closing = new AbortController()
  private readonly given: SubscriptionDeps
  private readonly outage: Outage

  constructor(given: SubscriptionDeps) {
    this.given = given
    this.outage = deliveryOutage(given.subscriber.name, given.log)
    void this.run()
  }

  /** Begins no new delivery, lets those at work end. */
  async close(): Promise<void> {
    this.closing.abort()
    this.onRoom?.()
    await this.fetching?.close()
    await Promise.all(this.atWork)
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted
  }

  private async run(): Promise<void> {
    const { signal } = this.closing
    while (!this.isClosing()) {
      try {
        await this.takeSome()
      } catch (err) {
        if (this.isClosing()) return
        const { link, ensure, subscriber, log } = this.given
        log.debug({ err, ...subscriber }, 'no facts could be asked for, will ask again')
        await delay(pauseMs, undefined, { signal }).catch(ignore)
        if (link.isUp()) await ensure().catch(ignore)
      }
    }
  }

  /** Asks once: for no more than there is room for, and so is never sent more. */
  private async takeSome(): Promise<void> {
    const { inFlightMax, link, consumer } = this.given
    const room = inFlightMax - this.atWork.size
    if (room <= 0) return new Promise((resolve) => (this.onRoom = resolve))
    await link.up()
    const { consumers } = link.now().js
    const options = { max_messages: room, expires: fetchMs }
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
      this.atWork.delete(work)
      this.onRoom?.()
    })
    this.atWork.add(work)
  }

  private async settle(message: JsMsg): Promise<void> {
    let fact: InvoiceEvent
    try {
      fact = decodeEvent(message.data, this.given.subscriber.type)
    } catch (error) {
      return this.bury(message, error)
    }
    const known = this.meet(fact.id, message)
    // Delivered again while at work, as after a pause of this process: one of them settles it.
    if (known) await this.deliver(fact, known)
  }

  private meet(factId: string, message: JsMsg): Known | undefined {
    const before = this.known.get(factId)
    if (before) before.message = message
    if (before?.isAtWork) return undefined
    // A stream made anew counts from one; what a handler remembers of a fact must not.
    const attempt = Math.max(message.info.deliveryCount, (before?.attempt ?? 0) + 1)
    const { failures, failingSinceMs } = before ?? { failures: 0, failingSinceMs: 0 }
    const known = { message, attempt, isAtWork: true, failures, failingSinceMs }
    this.known.delete(factId)
    this.known.set(factId, known)
    if (this.known.size > knownMax) this.forgetOldest()
    return known
  }

  private async deliver(fact: InvoiceEvent, known: Known): Promise<void> {
    const heartbeat = setInterval(() => known.message.working(), ackWaitMs / 4)
    try {
      const again = await this.given.onFact(fact, { attempt: known.attempt })
      known.failures = 0
      this.outage.recovered(fact.id)
      if (again) known.message.nak(Math.ceil(Math.min(again.againInMs, againMaxMs)))
      else known.message.ack()
      if (!again) this.known.delete(fact.id)
    } catch (error) {
      await this.onThrown(fact, known, error)
    } finally {
      clearInterval(heartbeat)
      known.isAtWork = false
    }
  }

  private async onThrown(fact: InvoiceEvent, known: Known, err: unknown): Promise<void> {
    if (known.failures === 0) known.failingSinceMs = performance.now()
    known.failures += 1
    if (performance.now() - known.failingSinceMs > this.given.thrownAtMaxMs) {
      this.known.delete(fact.id)
      return this.bury(known.message, err)
    }
    const inMs = Math.min(backoffMs.max, backoffMs.first * 2 ** (known.failures - 1))
    this.outage.failed(fact.id, { err, ...toLogFields(fact), attempt: known.attempt, inMs })
    known.message.nak(inMs)
  }

  /** Out of everybody's way, where an operator finds it. */
  private async bury(message: JsMsg, cause: unknown): Promise<void> {
    const { bury, subscriber, log } = this.given
    try {
      await bury(message, subscriber, cause)
      message.ack()
    } catch (err) {
      log.warn({ err, ...subscriber }, 'dead letter not kept, will be tried again')
      message.nak(backoffMs.max)
    }
  }

  private forgetOldest(): void {
    const [oldest] = this.known.keys()
    if (oldest !== undefined) this.known.delete(oldest)
  }
}

const ignore = (): void => undefined
