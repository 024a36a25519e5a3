// At least once. What it loses is published again from the store (`onLoss`).

import { Counter } from 'prom-client'
import type { InvoiceEvent, EventType } from '../event'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Outage } from '@einvoicing/runtime/outage'
import type { Bus, EventHandler, Subscription, SubscriptionOptions } from '../bus'
import type { BusConfig } from '../config'
import { createDeadLetterWriter } from './dead-letters'
import { encodeEvent, eventSubject } from './messages'
import { isDuplicateMessage, isNotThere, isUnreachable } from './failures'
import { NatsConnector } from './connection'
import { duplicateWindowMs, Streams } from './streams'
import { NatsSubscription } from './subscription'
import { withTraces } from '../traced-bus'

export interface NatsBusOptions {
  log: Log
  /** How long an event may fail before it becomes a dead letter. */
  maxRedeliveryAgeMs?: number
  /** How long a publish may wait for the server's answer. */
  publishMs?: number
}

const dayMs = 24 * 3_600_000
const usualPublishMs = 3_000
// How soon deleted streams and consumers are created again while unused.
const checkEveryMs = 5_000

const losses = new Counter({
  name: 'einvoicing_bus_losses_total',
  help: 'Times that streams or consumers of the bus were lost and created again',
  registers: [metrics],
})

export async function openNatsBus(config: BusConfig, options: NatsBusOptions): Promise<Bus> {
  const bus = new NatsBus(config, options)
  await bus.started
  return withTraces(bus)
}

class NatsBus implements Bus {
  readonly name = 'nats'
  readonly started: Promise<void>
  private readonly streams: Streams
  private readonly link: NatsConnector
  private readonly subscriptions: NatsSubscription[] = []
  private readonly rebuilds: (() => void)[] = []
  private readonly checkTimer: NodeJS.Timeout
  private lossTimer: NodeJS.Timeout | undefined
  private closed: Promise<void> | undefined
  private isClosed = false
  private readonly options: NatsBusOptions
  private readonly streamsOutage: Outage

  constructor(config: BusConfig, options: NatsBusOptions) {
    const { log } = options
    this.options = options
    this.streamsOutage = new Outage({
      log,
      startMessage: 'NATS streams or consumers could not be checked, retrying',
      endMessage: 'NATS streams and consumers are complete',
    })
    this.streams = new Streams(config.replicas, () => this.reportLoss(), log)
    this.link = new NatsConnector(config, { prepare: ({ jsm }) => this.streams.ensure(jsm), log })
    this.started = this.link.started
    this.checkTimer = setInterval(() => void this.checkStreams(), checkEveryMs).unref()
  }

  async publish(event: InvoiceEvent): Promise<void> {
    if (this.isClosed) throw new Error('the bus is closed')
    try {
      await this.send(event)
    } catch (error) {
      if (!isUnreachable(error) && !isNotThere(error)) throw error
      await this.ensure()
      await this.send(event)
    }
  }

  subscribe<T extends EventType>(
    type: T,
    options: SubscriptionOptions,
    onEvent: EventHandler<T>,
  ): Subscription {
    const { link, streams } = this
    const { log, maxRedeliveryAgeMs = dayMs } = this.options
    const { name, inFlightMax } = options
    const subscriber = { name, type }
    streams.want(subscriber)
    if (link.isConnected()) void this.checkStreams()
    const subscription = new NatsSubscription({
      subscriber,
      inFlightMax,
      onEvent: onEvent as unknown as EventHandler<EventType>,
      link,
      consumer: () => streams.consumer(subscriber),
      ensure: () => this.ensure(),
      bury: createDeadLetterWriter(() => link.getSession().js, log),
      maxRedeliveryAgeMs,
      log,
    })
    this.subscriptions.push(subscription)
    return subscription
  }

  onLoss(rebuild: () => void): void {
    this.rebuilds.push(rebuild)
  }

  async check(): Promise<void> {
    await this.link.getSession().jsm.getAccountInfo()
  }

  close(): Promise<void> {
    return (this.closed ??= this.drain())
  }

  private async drain(): Promise<void> {
    clearInterval(this.checkTimer)
    clearTimeout(this.lossTimer)
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()))
    this.isClosed = true
    await this.link.close()
  }

  private async send(event: InvoiceEvent): Promise<void> {
    const { js } = this.link.getSession()
    // Without its subscriber's consumer no one would get the event.
    await this.streams.settled().catch(() => this.ensure())
    const { publishMs = usualPublishMs } = this.options
    const options = { msgID: event.id, timeout: publishMs }
    try {
      await js.publish(eventSubject(event), encodeEvent(event), options)
    } catch (error) {
      if (!isDuplicateMessage(error)) throw error
    }
  }

  private ensure(): Promise<void> {
    return this.streams.ensure(this.link.getSession().jsm)
  }

  private async checkStreams(): Promise<void> {
    try {
      await this.ensure()
      this.streamsOutage.recovered('streams')
    } catch (err) {
      if (this.link.isConnected()) this.streamsOutage.failed('streams', { err })
    }
  }

  /** After the duplicate window, in which an event published again would pass for the lost one. */
  private reportLoss(): void {
    losses.inc()
    this.options.log.error('NATS has lost events: republishing them from the store')
    this.lossTimer ??= setTimeout(() => {
      this.lossTimer = undefined
      for (const rebuild of this.rebuilds) rebuild()
    }, duplicateWindowMs)
  }
}
