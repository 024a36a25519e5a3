/** The id is that of the clearance attempt, so that publishing it again is no second event. */

import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Invoice } from '@einvoicing/proto/invoice'

export function signedEvent(invoice: Invoice): InvoiceEvent<'invoice.signed'> {
  const { id, organizationId, origin } = invoice
  const { xmlSha256 = '', clearanceStartedAt = invoice.createdAt } = invoice
  return {
    specversion: '1.0',
    id: `${id}:${clearanceStartedAt}`,
    source: 'invoices',
    type: 'invoice.signed',
    time: clearanceStartedAt,
    subject: id,
    organizationid: organizationId,
    traceparent: origin?.traceparent,
    requestid: origin?.requestId,
    data: { xmlSha256, clearanceStartedAt, transmitted: invoice.status === 'TRANSMITTED' },
  }
}

/**
 * Each query of a FAILED invoice is an event of its own. `transmitted` is for a clearance that does
 * not know `failed`: it queries first as well.
 */
export function failedEvent(invoice: Invoice, askedAt: string): InvoiceEvent<'invoice.signed'> {
  const event = signedEvent(invoice)
  return {
    ...event,
    id: `${event.id}:asked:${askedAt}`,
    time: askedAt,
    data: { ...event.data, transmitted: true, failed: true },
  }
}
