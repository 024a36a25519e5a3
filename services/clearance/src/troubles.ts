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
      endMessage: 'the platform accepts our requests again',
    }),
    unreadable: new Outage({
      log,
      level: 'error',
      startMessage: 'a signed XML that clearance needs is lost or damaged, retrying',
      endMessage: 'clearance needs no signed XML any more that is lost or damaged',
    }),
  }
  const unusable = new Outage({
    log,
    startMessage: 'no usable answer from the platform, retrying',
    endMessage: 'the platform returns usable answers again',
  })
  return {
    failed: (invoiceId, kind, reported) => (outages[kind] ?? unusable).failed(invoiceId, reported),
    recovered(invoiceId) {
      for (const outage of Object.values(outages)) outage.recovered(invoiceId)
      unusable.recovered(invoiceId)
    },
  }
}
