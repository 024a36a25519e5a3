import type { Log } from '@einvoicing/runtime/log'
import type { Loop } from '@einvoicing/runtime/loop'
import { timed } from '@einvoicing/runtime/metrics'
import { toLogIds } from '@einvoicing/runtime/trace'
import { toCountedStatus } from './store/counts'
import { commitDuration, transitions } from './metrics'
import { followedFrom } from './origin'
import type { InvoiceStore, Write } from './store/store'

interface Woken {
  relay: Pick<Loop, 'wake'>
  archiver: Pick<Loop, 'wake'>
  log: Log
}

/** The loops do what a write queued at once, and not after their pauses. */
export function openWakingStore(
  store: InvoiceStore,
  { relay, archiver, log }: Woken,
): InvoiceStore {
  const note = ({ invoice, event, work, audit: { from, to } }: Write) => {
    if (event) relay.wake()
    if (work) archiver.wake()
    if (!to) return
    transitions.inc({ to: toCountedStatus(invoice) })
    const { id: invoiceId, organizationId } = invoice
    const ids = toLogIds(followedFrom(invoice))
    // Debug for creations: the gateway logs them too, and a second line costs 1 % of a creation.
    log[from ? 'info' : 'debug'](
      Object.assign(ids, { invoiceId, organizationId, from }),
      `invoice ${to}`,
    )
  }
  const waking = async <T>(write: Write, operation: string, commit: () => Promise<T>) => {
    const settled = await timed(commitDuration, { operation }, commit)
    if (settled === 'created' || settled === 'changed') note(write)
    return settled
  }
  return {
    ...store,
    create: (write) => waking(write, 'create', () => store.create(write)),
    change: (seen, write) => waking(write, 'change', () => store.change(seen, write)),
    async changeTogether(changes) {
      const commit = () => store.changeTogether(changes)
      const settled = await timed(commitDuration, { operation: 'change' }, commit)
      if (settled === 'changed') for (const { write } of changes) note(write)
      return settled
    },
  }
}
