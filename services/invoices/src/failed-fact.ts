/** `invoice.failed`: has the platform decided since? Each question is an event of its own. */

import type { Fact } from '@einvoicing/kernel/fact'
import type { Invoice } from '@einvoicing/proto/invoice'

export function failedFact(invoice: Invoice, askedAt: string): Fact<'invoice.failed'> {
  const { id, organizationId, origin } = invoice
  const { xmlSha256 = '', clearanceStartedAt = invoice.createdAt } = invoice
  return {
    specversion: '1.0',
    id: `${id}:failed:${askedAt}`,
    source: 'invoices',
    type: 'invoice.failed',
    time: askedAt,
    subject: id,
    organizationid: organizationId,
    traceparent: origin?.traceparent,
    requestid: origin?.requestId,
    data: { xmlSha256, clearanceStartedAt },
  }
}
