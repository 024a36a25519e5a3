import type { InvoiceEvent, EventType } from './event'
import type { Span } from '@einvoicing/runtime/trace'

export interface Delivery {
  attempt: number
  span?: Span | undefined
}

/** Returning acknowledges; throwing delivers again after the bus's own backoff. */
export type EventHandler<T extends EventType> = (
  event: InvoiceEvent<T>,
  delivery: Delivery,
) => Promise<void | { againInMs: number }>

export interface SubscriptionOptions {
  /** Each subscriber name gets every event once, however many processes use it. */
  name: string
  /** An event that waits for `againInMs` does not count, and blocks no other. */
  inFlightMax: number
}

export interface Subscription {
  /** Waits for running deliveries, which may still publish, and begins no other. */
  close(): Promise<void>
}

/** Full for this organization; events of others may be accepted. */
export class BusFull extends Error {
  override readonly name = 'BusFull'
}

export interface Bus {
  readonly name: string
  /** Resolves once the event is stored; when it rejects, publish again later. */
  publish(event: InvoiceEvent): Promise<void>
  subscribe<T extends EventType>(
    type: T,
    options: SubscriptionOptions,
    onEvent: EventHandler<T>,
  ): Subscription
  /** `rebuild` publishes every undecided invoice again, after the bus lost events. */
  onLoss(rebuild: () => void): void
  /** Rejects while events cannot be published. */
  check(): Promise<void>
  /** Waits for running deliveries. Events not acknowledged are published again by the store. */
  close(): Promise<void>
}

/** For pages of several organizations: when full for one, the bus may still accept the others'. */
export async function publishUnlessFull(
  bus: Bus,
  event: InvoiceEvent,
): Promise<BusFull | undefined> {
  try {
    await bus.publish(event)
    return undefined
  } catch (error) {
    if (error instanceof BusFull) return error
    throw error
  }
}
