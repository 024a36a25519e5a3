import type { InvoiceEvent, EventType } from './event'
import type { Span } from '@einvoicing/runtime/trace'

export interface Delivery {
  attempt: number
  /** Parent of the delivery's spans; absent while tracing is off. */
  span?: Span | undefined
}

/**
 * Returning acknowledges the event, `{ againInMs }` delivers it again after that time, throwing
 * delivers it again after the bus's own backoff. An event that cannot be decoded, or fails for a
 * day, becomes a dead letter.
 */
export type EventHandler<T extends EventType> = (
  event: InvoiceEvent<T>,
  delivery: Delivery,
) => Promise<void | { againInMs: number }>

export interface SubscriptionOptions {
  /** Each subscriber name gets every event once, however many processes use it. */
  name: string
  /**
   * Deliveries running at once. Events waiting for `againInMs` do not count, so one stuck event
   * never blocks another.
   */
  inFlightMax: number
}

/** The bus holds as many events of this organization as it can; it may accept those of others. */
export class BusFull extends Error {
  override readonly name = 'BusFull'
}

export interface Bus {
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
   * `rebuild` runs when the bus has lost stored events: publish again every event that is not
   * settled.
   */
  onLoss(rebuild: () => void): void
  /** Rejects while events cannot be published. */
  check(): Promise<void>
  /** Waits for running deliveries. Events not acknowledged are published again by the store. */
  close(): Promise<void>
}
