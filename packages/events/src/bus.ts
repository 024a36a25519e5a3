/**
 * How events travel between services. Adapters: local.ts (in process), nats.ts (between processes).
 * One contract: bus.contract.ts.
 */

import type { InvoiceEvent, EventType } from './event'
import type { Span } from '@einvoicing/runtime/trace'

/** What a subscriber knows of a delivery besides the event. */
export interface Delivery {
  /** 1 the first time, then counting up. */
  attempt: number
  /** What the spans of this delivery hang below; absent where nothing is traced. */
  span?: Span | undefined
}

/**
 * Done with an event: returning acknowledges it, `{ againInMs }` asks for it once more after that
 * time, throwing asks for it again after the bus's own backoff. An event is never given up by the
 * bus: what no one can take (it cannot be read, or was thrown at for a day) is kept apart for an
 * operator.
 */
export type EventHandler<T extends EventType> = (
  event: InvoiceEvent<T>,
  delivery: Delivery,
) => Promise<void | { againInMs: number }>

export interface SubscriptionOptions {
  /** The subscriber's name: each name gets every event once, however many processes carry it. */
  name: string
  /**
   * Deliveries at work at once; events waiting for `againInMs` do not count, so one stuck event never
   * blocks another.
   */
  inFlightMax: number
}

/** The bus holds as many events of the organization as it can; it may take those of others. */
export class BusFull extends Error {
  override readonly name = 'BusFull'
}

export interface Bus {
  /** As an operator knows it: `nats`. */
  readonly name: string
  /**
   * Resolves once the bus has stored the event. When it rejects, publish the event again later from
   * the store.
   */
  publish(event: InvoiceEvent): Promise<void>
  subscribe<T extends EventType>(
    type: T,
    options: SubscriptionOptions,
    onEvent: EventHandler<T>,
  ): void
  /**
   * `rebuild` runs when the bus has lost events it had taken, as when its disk was: publish again
   * whatever is not settled.
   */
  onLoss(rebuild: () => void): void
  /** Rejects while events cannot travel. */
  check(): Promise<void>
  /**
   * Begins no new delivery, lets those at work end. Events not acknowledged are the store's to
   * publish again.
   */
  close(): Promise<void>
}
