/**
 * `invoice.signed`: what wakes clearance. The same attempt always has the same id, so that
 * publishing it again is no second fact.
 */

import type { Fact } from '@einvoicing/kernel/fact'
import type { Invoice } from '@einvoicing/proto/invoice'

export function signedFact(invoice: Invoice): Fact<'invoice.signed'> {
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
