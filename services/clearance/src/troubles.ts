import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'
import type { Obstacle } from './next-step'

export interface Troubles {
  failed(invoiceId: string, kind: Obstacle['kind'], fields: object): void
  recovered(invoiceId: string): void
}

export function watchTroubles(log: Log): Troubles {
  const refused = new Outage({
    log,
    level: 'error',
    startMessage: 'the platform rejects our credentials, or CLEARANCE_URL is wrong',
    endMessage: 'the platform accepts our requests again',
  })
  const unusable = new Outage({
    log,
    startMessage: 'no usable answer from the platform, retrying',
    endMessage: 'the platform returns usable answers again',
  })
  return {
    failed: (invoiceId, kind, reported) =>
      (kind === 'misconfigured' ? refused : unusable).failed(invoiceId, reported),
    recovered(invoiceId) {
      refused.recovered(invoiceId)
      unusable.recovered(invoiceId)
    },
  }
}
