/**
 * The bus between processes: NATS JetStream, at least once.
 *
 * Refuses to be the record: what it loses is told by `onLoss`, and published again from the store.
 */

import { Counter } from 'prom-client'
import type { InvoiceEvent, EventType } from '../event'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Bus, EventHandler, SubscriptionOptions } from '../bus'
import type { BusConfig } from '../config'
import { deadLetterWriter } from './dead-letters'
import { encodeEvent, eventSubject } from './messages'
import { isDuplicateMessage, isNotThere, isUnreachable } from './failures'
import { NatsConnector } from './connection'
import { duplicateWindowMs, Streams } from './streams'
import { NatsSubscription } from './subscription'
import { withTraces } from '../traced-bus'

export interface NatsBusOptions {
  log: Log
  /** How long a fact may be thrown at, again and again, until it becomes a dead letter. */
  thrownAtMaxMs?: number
}

const dayMs = 24 * 3_600_000
const publishMs = 3_000
// How soon streams and consumers that were deleted are made anew where nobody asks for them.
const lookMs = 5_000

const losses = new Counter({
  name: 'einvoicing_bus_losses_total',
  help: 'Times that streams or consumers of the bus were found gone and made anew',
  registers: [metrics],
})

/** Throws `SettingsError` on what never heals by itself; a server that is away is waited for. */
export async function openNatsBus(config: BusConfig, options: NatsBusOptions): Promise<Bus> {
  const bus = new NatsBus(config, options)
  await bus.begun
  return withTraces(bus)
}

class NatsBus implements Bus {
  readonly name = 'nats'
  readonly begun: Promise<void>
  private readonly streams: Streams
  private readonly link: NatsConnector
  private readonly subscriptions: NatsSubscription[] = []
  private readonly rebuilds: (() => void)[] = []
  private readonly look: NodeJS.Timeout
  private tellingLoss: NodeJS.Timeout | undefined
  private closed: Promise<void> | undefined
  private isClosed = false
  private readonly options: NatsBusOptions

  constructor(config: BusConfig, options: NatsBusOptions) {
    const { log } = options
    this.options = options
    this.streams = new Streams(config.replicas, () => this.tellLoss())
    this.link = new NatsConnector(config, { prepare: ({ jsm }) => this.streams.ensure(jsm), log })
    this.begun = this.link.begun
    this.look = setInterval(() => void this.lookAgain(), lookMs).unref()
  }

  async publish(fact: InvoiceEvent): Promise<void> {
    if (this.isClosed) throw new Error('the bus is closed')
    try {
      await this.send(fact)
    } catch (error) {
      if (!isUnreachable(error) && !isNotThere(error)) throw error
      await this.ensure()
      await this.send(fact)
    }
  }

  subscribe<T extends EventType>(
    type: T,
    options: SubscriptionOptions,
    onFact: EventHandler<T>,
  ): void {
    const { link, streams } = this
    const { log, thrownAtMaxMs = dayMs } = this.options
    const { name, inFlightMax } = options
    const subscriber = { name, type }
    streams.want(subscriber)
    if (link.isUp()) void this.lookAgain()
    const subscription = new NatsSubscription({
      subscriber,
      inFlightMax,
      onFact: onFact as unknown as EventHandler<EventType>,
      link,
      consumer: () => streams.consumer(subscriber),
      ensure: () => this.ensure(),
      bury: deadLetterWriter(() => link.now().js, log),
      thrownAtMaxMs,
      log,
    })
    this.subscriptions.push(subscription)
  }

  onLoss(rebuild: () => void): void {
    this.rebuilds.push(rebuild)
  }

  async check(): Promise<void> {
    await this.link.now().jsm.getAccountInfo()
  }

  close(): Promise<void> {
    return (this.closed ??= this.drain())
  }

  private async drain(): Promise<void> {
    clearInterval(this.look)
    clearTimeout(this.tellingLoss)
    // What is at work may still tell what it did.
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()))
    this.isClosed = true
    await this.link.close()
  }

  /** Resolves when the fact is on the server's disk, already or now. */
  private async send(fact: InvoiceEvent): Promise<void> {
    const { js } = this.link.now()
    // A fact published before its subscriber's consumer is there would be kept for nobody.
    await this.streams.settled().catch(() => this.ensure())
    const options = { msgID: fact.id, timeout: publishMs }
    try {
      await js.publish(eventSubject(fact), encodeEvent(fact), options)
    } catch (error) {
      if (!isDuplicateMessage(error)) throw error
    }
  }

  private ensure(): Promise<void> {
    return this.streams.ensure(this.link.now().jsm)
  }

  private async lookAgain(): Promise<void> {
    try {
      await this.ensure()
    } catch (err) {
      if (this.link.isUp())
        this.options.log.warn({ err }, 'the streams of the bus are not all there')
    }
  }

  /** Not before what is published again can no longer pass for a duplicate of what was lost. */
  private tellLoss(): void {
    losses.inc()
    this.options.log.error('NATS has lost facts: they are published again from the store')
    this.tellingLoss ??= setTimeout(() => {
      this.tellingLoss = undefined
      for (const rebuild of this.rebuilds) rebuild()
    }, duplicateWindowMs)
  }
}
