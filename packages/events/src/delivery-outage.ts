/** What the log says of deliveries that fail: one warning until facts are taken again. */

import type { Fact } from './event'
import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'

export function outageOf(subscriber: string, log: Log): Outage {
  return new Outage({
    log: log.child({ subscriber }),
    begun: 'fact not taken, will be delivered again',
    over: 'facts are taken again',
  })
}

/** Which fact it is, and which request it goes back to. */
export function toldOf({ type, subject, organizationid, requestid }: Fact): object {
  return { type, invoiceId: subject, organizationId: organizationid, requestId: requestid }
}
