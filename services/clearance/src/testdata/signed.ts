import { createHash } from 'node:crypto'
import type { InvoiceEvent, EventData } from '@einvoicing/events/event'

export const makeXml = (invoiceId: string): Buffer => Buffer.from(`<Invoice>${invoiceId}</Invoice>`)

export const toSha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export function signedEvent(
  invoiceId: string,
  data: Partial<EventData['invoice.signed']> = {},
): InvoiceEvent<'invoice.signed'> {
  const { clearanceStartedAt = '2026-03-04T05:06:07.000Z' } = data
  return {
    specversion: '1.0',
    id: `${invoiceId}:${clearanceStartedAt}`,
    source: 'invoices',
    type: 'invoice.signed',
    time: clearanceStartedAt,
    subject: invoiceId,
    organizationid: 'organization-1',
    data: {
      xmlSha256: toSha256(makeXml(invoiceId)),
      transmitted: false,
      clearanceStartedAt,
      ...data,
    },
  }
}
