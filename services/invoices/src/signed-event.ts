/**
 * `invoice.signed`: what wakes clearance. The same attempt always has the same id, so that
 * publishing it again is no second event.
 */

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
 * The same for an invoice that FAILED: has the platform decided since? Each question is an event of
 * its own. To a clearance that does not know `failed`, the invoice is one to ask for first.
 */
export function failedEvent(invoice: Invoice, askedAt: string): InvoiceEvent<'invoice.signed'> {
  const fact = signedEvent(invoice)
  return {
    ...fact,
    id: `${fact.id}:asked:${askedAt}`,
    time: askedAt,
    data: { ...fact.data, transmitted: true, failed: true },
  }
}
