import {
  backfillEvidence,
  renewEvidence,
  reviewEvidence,
  type RequestProgress,
  type Requests,
} from '@einvoicing/invoices/commands/request-evidence'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { withInvoiceStore } from './invoice-store'
import type { Shell } from './shell'

export interface EvidenceOptions {
  perMinute: number
  /** Of renewals: also what is not due by the settings it was made with. */
  all?: boolean
}

export function backfill(shell: Shell, options: EvidenceOptions): Promise<number> {
  return request(shell, options, backfillEvidence)
}

export function renew(shell: Shell, options: EvidenceOptions): Promise<number> {
  return request(shell, options, options.all ? reviewEvidence : renewEvidence)
}

function request(
  shell: Shell,
  { perMinute }: EvidenceOptions,
  command: (requests: Requests) => AsyncGenerator<RequestProgress>,
): Promise<number> {
  return withInvoiceStore(shell, async (store) => {
    let last: RequestProgress = { looked: 0, requested: 0, pending: 0 }
    for await (const progress of command({ store, perMinute, now })) {
      last = progress
      const { looked, requested, pending } = progress
      shell.print(`${looked} checked, ${requested} requested, ${pending} in progress`, progress)
    }
    const { requested } = last
    shell.print(`done: the running service adds evidence to ${requested} signatures`, {
      ...last,
      done: true,
    })
    return 0
  })
}
