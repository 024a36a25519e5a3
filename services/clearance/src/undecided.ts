/** In memory only: what is forgotten is read from the platform again. */

import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Kind } from './turns'

export interface Undecided {
  /** `clearanceStartedAt` of the attempt. */
  startedAt: string
  startedAtMs: number
  /** Downtime of this process does not count as the platform's failure. */
  firstSeenAtMs: number
  /** `neverSent` of the store overrides it. */
  maybeSent: boolean
  isTransmissionPublished: boolean
  submission: { id: string; receivedAtMs: number } | undefined
  /** Since when no answer was usable. */
  troubledSinceMs: number | undefined
  failedSubmissions: number
  isAtWork: boolean
  /** The delivery that handles the invoice, and when it comes again. */
  carrier: { eventId: string; attempt: number; dueAtMs: number }
}

// Invoices delivered to another process are never removed here; the oldest are forgotten.
const rememberedMax = 100_000

// The delivery is gone or with another process: any other may handle the invoice.
const carrierLostAfterMs = 60_000

export class UndecidedInvoices {
  private readonly invoices = new Map<string, Undecided>()

  /** `undefined` when another delivery handles the invoice, or a newer attempt has begun. */
  meet(
    event: InvoiceEvent<'invoice.signed'>,
    attempt: number,
    nowMs: number,
  ): Undecided | undefined {
    const known = this.invoices.get(event.subject)
    const isSameAttempt = known?.startedAt === event.data.clearanceStartedAt
    if (!known || (!isSameAttempt && known.startedAt < event.data.clearanceStartedAt)) {
      return this.remember(event, attempt, nowMs)
    }
    const { eventId, attempt: carried, dueAtMs } = known.carrier
    const isCarrier = event.id === eventId && attempt > carried
    const isCarrierLost = nowMs > dueAtMs + carrierLostAfterMs
    if (!isSameAttempt || known.isAtWork || !(isCarrier || isCarrierLost)) return undefined
    known.isAtWork = true
    known.carrier = { eventId: event.id, attempt, dueAtMs }
    return known
  }

  chooseKind({ subject, data }: InvoiceEvent<'invoice.signed'>): Kind {
    const known = this.invoices.get(subject)
    if (known?.troubledSinceMs !== undefined) return 'retry'
    return data.transmitted || known?.submission ? 'ask' : 'send'
  }

  rest(undecided: Undecided, nowMs: number, waitMs: number): void {
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
