/** The id is that of the clearance attempt: published twice, it is one event. */

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

/** Each query is an event. `transmitted` is for a clearance that does not know `failed`. */
export function toFailedQueryEvent(
  invoice: Invoice,
  queriedAt: string,
): InvoiceEvent<'invoice.signed'> {
  const event = signedEvent(invoice)
  return {
    ...event,
    id: `${event.id}:asked:${queriedAt}`,
    time: queriedAt,
    data: { ...event.data, transmitted: true, failed: true },
  }
}
