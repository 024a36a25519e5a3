import { Counter, Gauge, Histogram } from 'prom-client'
import { ageSeconds, metrics } from '@einvoicing/runtime/metrics'
import { pollEvery, type Poll } from '@einvoicing/runtime/poll'
import type { Deps } from './deps'
import { countedStatuses } from './store/counts'
import type { InvoiceStore } from './store/store'

export const transitions = new Counter({
  name: 'einvoicing_invoice_transitions_total',
  help: 'Invoices that entered a status; PRECEDING_INVOICE_REJECTED instead of FAILED for credit notes of rejected invoices',
  labelNames: ['to'],
  registers: [metrics],
})

// Exported from the start, so that the first increment is visible as a rise.
for (const to of countedStatuses) transitions.inc({ to }, 0)

export const commitDuration = new Histogram({
  name: 'einvoicing_store_commit_duration_seconds',
  help: 'Time until a created or changed invoice was on disk, by operation and outcome',
  labelNames: ['operation', 'outcome'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [metrics],
})

const oldestUndecided = new Gauge({
  name: 'einvoicing_undecided_oldest_age_seconds',
  help: 'Age of the oldest invoice in SIGNED or TRANSMITTED, 0 without any; of the store, not of this process',
  registers: [metrics],
})

const byStatus = new Gauge({
  name: 'einvoicing_invoices',
  help: 'Invoices by status, PRECEDING_INVOICE_REJECTED instead of FAILED for credit notes of rejected invoices; of the store, not of this process',
  labelNames: ['status'],
  registers: [metrics],
})

const backlogCount = new Gauge({
  name: 'einvoicing_backlog_count',
  help: 'Events to be published (outbox), artefacts to be archived (archive) and signatures to be time-stamped (timeStamps), to be completed by evidence (evidence) and to be renewed (renewals), at most 100,000 are counted; of the store, not of this process',
  labelNames: ['backlog'],
  registers: [metrics],
})

const backlogAge = new Gauge({
  name: 'einvoicing_backlog_oldest_age_seconds',
  help: 'Age of the oldest in outbox, archive, timeStamps or evidence, and how long the oldest renewal is due, 0 when nothing waits; of the store, not of this process',
  labelNames: ['backlog'],
  registers: [metrics],
})

const deadLetters = new Gauge({
  name: 'einvoicing_archive_dead_letters',
  help: 'Artefacts that could not be archived after many attempts; counted in the store, not per process',
  registers: [metrics],
})

interface Watched extends Pick<Deps, 'now'> {
  store: Pick<InvoiceStore, 'oldestUndecided' | 'backlogs' | 'countByStatus'>
}

const lookMs = 15_000
const countMs = 60_000

/** NaN while the store is unavailable, so that no outdated value remains. */
export function watchStore({ store, now }: Watched): Poll {
  const computeAge = (moment: string | undefined) =>
    moment === undefined ? 0 : ageSeconds(now().getTime() - Date.parse(moment))
  const looks = [
    pollEvery(lookMs, async () => {
      const oldest = store.oldestUndecided().then(computeAge)
      oldestUndecided.set(await oldest.catch(() => NaN))
    }),
    pollEvery(lookMs, async () => {
      const backlogs = await store.backlogs().catch(() => undefined)
      deadLetters.set(backlogs?.archiveDeadLetters.count ?? NaN)
      for (const backlog of ['outbox', 'archive', 'timeStamps', 'evidence', 'renewals'] as const) {
        const { count = NaN, oldest } = backlogs?.[backlog] ?? {}
        backlogCount.set({ backlog }, count)
        backlogAge.set({ backlog }, backlogs ? computeAge(oldest) : NaN)
      }
    }),
    pollEvery(countMs, async () => {
      const counts = await store.countByStatus().catch(() => undefined)
      for (const status of countedStatuses) {
        byStatus.set({ status }, counts?.[status] ?? NaN)
      }
    }),
  ]
  return {
    close() {
      for (const look of looks) look.close()
    },
  }
}
