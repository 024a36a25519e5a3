import type { InvoiceEvent } from './event'
import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'

export function deliveryOutage(subscriber: string, log: Log): Outage {
  return new Outage({
    log: log.child({ subscriber }),
    startMessage: 'event handler failed, redelivering',
    endMessage: 'event handler recovered',
  })
}

export function toLogFields({ type, subject, organizationid, requestid }: InvoiceEvent): object {
  return { type, invoiceId: subject, organizationId: organizationid, requestId: requestid }
}
