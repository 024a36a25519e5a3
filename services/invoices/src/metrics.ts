/**
 * What operators watch of invoices; read from the store, outside the workers that could be stuck
 * themselves.
 */

import { Counter, Gauge } from 'prom-client'
import { metrics } from '@einvoicing/kernel/metrics'
import type { Deps } from './deps'
import type { InvoiceStore } from './store/store'

export const transitions = new Counter({
  name: 'einvoicing_invoice_transitions_total',
  help: 'Invoices that entered a status',
  labelNames: ['to'],
  registers: [metrics],
})

interface Watched extends Pick<Deps, 'now'> {
  store: Pick<InvoiceStore, 'oldestUndecided'>
}

/** Age of the oldest invoice without a verdict: the one figure that tells "stuck in processing". */
export function watchOldestUndecided({ store, now }: Watched): () => void {
  const name = 'einvoicing_undecided_oldest_age_seconds'
  new Gauge({
    name,
    help: 'Age of the oldest invoice in SIGNED or TRANSMITTED',
    registers: [metrics],
    async collect() {
      this.set(await oldestAgeSeconds(store, now()))
    },
  })
  return () => metrics.removeSingleMetric(name)
}

/** 0 where none is undecided; not a number where the store cannot tell. */
async function oldestAgeSeconds(store: Watched['store'], now: Date): Promise<number> {
  try {
    const started = await store.oldestUndecided()
    return started ? (now.getTime() - Date.parse(started)) / 1000 : 0
  } catch {
    // One figure missing must not hide all the others, least of all now.
    return NaN
  }
}
