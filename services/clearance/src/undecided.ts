/** In memory only: what is forgotten is read from the platform again. */

import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Kind } from './turns'

export interface Undecided {
  /** `clearanceStartedAt` of the attempt. */
  startedAt: string
  startedAtMs: number
  /** Or again, after downtime: it does not count as the platform's failure. */
  firstSeenAtMs: number
  deliveredAtMs: number
  /** `neverSent` of the store overrides it. */
  maybeSent: boolean
  isTransmissionPublished: boolean
  /** The first receipt; without id, the platform no longer knows it. */
  submission: { id: string | undefined; receivedAtMs: number } | undefined
  troubledSinceMs: number | undefined
  failedSubmissions: number
  isAtWork: boolean
  /** The delivery that handles the invoice, and when it comes again. */
  carrier: { eventId: string; attempt: number; dueAtMs: number }
}

// 100 MB. Invoices delivered to another process are never removed here; the oldest are forgotten.
const rememberedMax = 100_000

// The delivery is gone or with another process: any other may handle the invoice.
const carrierLostAfterMs = 60_000

// No delivery lasts as long: its calls have a minute each at most.
const suspendedAfterMs = 300_000

export class UndecidedInvoices {
  private readonly invoices = new Map<string, Undecided>()
  private lastDeliveryAtMs = -Infinity
  /** When deliveries began again after none for a time, as of a suspended process. */
  private resumedAtMs = -Infinity

  /** `undefined` when another delivery handles the invoice, or a newer attempt has begun. */
  claim(
    event: InvoiceEvent<'invoice.signed'>,
    attempt: number,
    nowMs: number,
  ): Undecided | undefined {
    if (nowMs > this.lastDeliveryAtMs + carrierLostAfterMs) this.resumedAtMs = nowMs
    this.lastDeliveryAtMs = nowMs
    const known = this.invoices.get(event.subject)
    const isSameAttempt = known?.startedAt === event.data.clearanceStartedAt
    if (!known || (!isSameAttempt && known.startedAt < event.data.clearanceStartedAt)) {
      return this.remember(event, attempt, nowMs)
    }
    const { eventId, attempt: carried, dueAtMs } = known.carrier
    const isCarrier = event.id === eventId && attempt > carried
    const isCarrierLost = nowMs > dueAtMs + carrierLostAfterMs
    if (!isSameAttempt || known.isAtWork || !(isCarrier || isCarrierLost)) return undefined
    // Late for another reason, as behind many others, it counts as the platform's failure.
    if (this.resumedAtMs > dueAtMs + carrierLostAfterMs) known.firstSeenAtMs = nowMs
    known.deliveredAtMs = nowMs
    known.isAtWork = true
    known.carrier = { eventId: event.id, attempt, dueAtMs }
    this.invoices.delete(event.subject)
    this.invoices.set(event.subject, known)
    return known
  }

  chooseKind({ subject, data }: InvoiceEvent<'invoice.signed'>): Kind {
    const known = this.invoices.get(subject)
    if (known?.troubledSinceMs !== undefined) return 'retry'
    return data.transmitted || known?.submission ? 'poll' : 'send'
  }

  release(undecided: Undecided, nowMs: number, waitMs: number): void {
    if (nowMs > undecided.deliveredAtMs + suspendedAfterMs) undecided.firstSeenAtMs = nowMs
    undecided.isAtWork = false
    undecided.carrier.dueAtMs = nowMs + waitMs
  }

  /** A newer attempt stays. */
  forget(invoiceId: string, undecided: Undecided): void {
    if (this.invoices.get(invoiceId) === undecided) this.invoices.delete(invoiceId)
  }

  private remember(
    event: InvoiceEvent<'invoice.signed'>,
    attempt: number,
    nowMs: number,
  ): Undecided {
    const { clearanceStartedAt, transmitted } = event.data
    const undecided: Undecided = {
      startedAt: clearanceStartedAt,
      startedAtMs: Date.parse(clearanceStartedAt),
      firstSeenAtMs: nowMs,
      deliveredAtMs: nowMs,
      maybeSent: transmitted,
      isTransmissionPublished: transmitted,
      submission: undefined,
      troubledSinceMs: undefined,
      failedSubmissions: 0,
      isAtWork: true,
      carrier: { eventId: event.id, attempt, dueAtMs: nowMs },
    }
    if (this.invoices.size >= rememberedMax) this.forgetOldest()
    this.invoices.set(event.subject, undecided)
    return undecided
  }

  private forgetOldest(): void {
    const [oldest] = this.invoices.keys()
    if (oldest !== undefined) this.invoices.delete(oldest)
  }
}
