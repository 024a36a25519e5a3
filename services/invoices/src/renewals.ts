import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { Deps } from './deps'

/** A year's documents end together: they are renewed over days. */
const renewalsAtOnce = 600
const pauseMs = 60_000

type RenewalDeps = Pick<Deps, 'store' | 'now' | 'log'> & {
  onRequested: () => void
}

export function startRenewals({ store, now, log, onRequested }: RenewalDeps): Loop {
  return startLoop({ name: 'renewals', pauseMs, log }, async () => {
    const due = await store.listRenewals(now().toISOString(), renewalsAtOnce)
    if (due.length === 0) return
    await store.requestEvidence('evidence', due)
    onRequested()
  })
}
