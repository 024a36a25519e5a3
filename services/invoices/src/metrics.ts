/**
 * What operators watch of invoices; read from the store, outside the workers that could be stuck
 * themselves.
 */

import { Counter, Gauge } from 'prom-client'
import { metrics } from '@einvoicing/kernel/metrics'
import type { Deps } from './deps'

export const transitions = new Counter({
  name: 'einvoicing_invoice_transitions_total',
  help: 'Invoices that entered a status',
  labelNames: ['to'],
  registers: [metrics],
})

/** Age of the oldest invoice without a verdict: the one figure that tells "stuck in processing". */
export function watchOldestUndecided({ store, now }: Pick<Deps, 'store' | 'now'>): () => void {
  const name = 'einvoicing_undecided_oldest_age_seconds'
  new Gauge({
    name,
    help: 'Age of the oldest invoice in SIGNED or TRANSMITTED',
    registers: [metrics],
    async collect() {
      const started = await store.oldestUndecided()
      this.set(started ? (now().getTime() - Date.parse(started)) / 1000 : 0)
    },
  })
  return () => metrics.removeSingleMetric(name)
}
