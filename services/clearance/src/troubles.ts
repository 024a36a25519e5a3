import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'
import type { Obstacle } from './next-step'

export interface Troubles {
  failed(invoiceId: string, kind: Obstacle['kind'], fields: object): void
  recovered(invoiceId: string): void
}

export function watchTroubles(log: Log): Troubles {
  const outages: Partial<Record<Obstacle['kind'], Outage>> = {
    misconfigured: new Outage({
      log,
      level: 'error',
      startMessage: 'the platform rejects our credentials, or CLEARANCE_URL is wrong',
      endMessage: 'no invoice waits any more because of rejected credentials or CLEARANCE_URL',
    }),
    unreadable: new Outage({
      log,
      level: 'error',
      startMessage: 'a signed XML that clearance needs is lost or damaged, retrying',
      endMessage: 'no invoice waits any more for a signed XML that is lost or damaged',
    }),
  }
  const unusable = new Outage({
    log,
    startMessage: 'no usable answer from the platform, retrying',
    endMessage: 'no invoice waits any more for a usable answer from the platform',
  })
  return {
    failed: (invoiceId, kind, reported) => (outages[kind] ?? unusable).failed(invoiceId, reported),
    recovered(invoiceId) {
      for (const outage of Object.values(outages)) outage.recovered(invoiceId)
      unusable.recovered(invoiceId)
    },
  }
}
