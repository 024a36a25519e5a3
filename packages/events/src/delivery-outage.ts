/** What the log says of deliveries that fail: one warning until facts are taken again. */

import type { InvoiceEvent } from './event'
import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'

export function deliveryOutage(subscriber: string, log: Log): Outage {
  return new Outage({
    log: log.child({ subscriber }),
    startMessage: 'fact not taken, will be delivered again',
    endMessage: 'facts are taken again',
  })
}

/** Which fact it is, and which request it goes back to. */
export function toLogFields({ type, subject, organizationid, requestid }: InvoiceEvent): object {
  return { type, invoiceId: subject, organizationId: organizationid, requestId: requestid }
}
