/** Asks the running service for evidence that documents lack, or that is to be renewed. */

import { setTimeout as delay } from 'node:timers/promises'
import type { EvidencePart, InvoiceStore, SignedState } from '../store/store'

type Store = Pick<InvoiceStore, 'listSigned' | 'listRenewals' | 'requestEvidence'>

export interface Requests {
  store: Store
  /** A page at once, and then a pause. */
  perMinute: number
  now: () => Date
}

/** Since the beginning of the command. */
export interface RequestProgress {
  looked: number
  requested: number
  /** Already under way. */
  pending: number
}

const pageSize = 200

/** What has no time stamp gets one; what has no archive time stamp gets what the settings want. */
export function backfillEvidence(requests: Requests): AsyncGenerator<RequestProgress> {
  return requestAll(requests, ({ level }) => {
    if (level === 'XAdES-B-B') return 'time-stamp'
    return level === 'XAdES-B-LTA' ? undefined : 'evidence'
  })
}

/** Every artefact of evidence is looked at again: for other settings than it was made with. */
export function reviewEvidence(requests: Requests): AsyncGenerator<RequestProgress> {
  return requestAll(requests, ({ artefact }) => (artefact === undefined ? undefined : 'evidence'))
}

/** What is due now. */
export async function* renewEvidence(requests: Requests): AsyncGenerator<RequestProgress> {
  const { store, perMinute, now } = requests
  const progress = { looked: 0, requested: 0, pending: 0 }
  for (;;) {
    const due = await store.listRenewals(now().toISOString(), pageSize)
    if (due.length === 0) return
    await store.requestEvidence('evidence', due)
    progress.looked += due.length
    progress.requested += due.length
    yield { ...progress }
    await delay((60_000 * due.length) / perMinute)
  }
}

async function* requestAll(
  { store, perMinute }: Requests,
  choose: (state: SignedState) => EvidencePart | undefined,
): AsyncGenerator<RequestProgress> {
  const progress = { looked: 0, requested: 0, pending: 0 }
  let after: string | undefined
  for (;;) {
    const page = await store.listSigned(after, pageSize)
    if (page.length === 0) return
    after = page.at(-1)?.invoiceId
    progress.looked += page.length
    progress.pending += page.filter(({ isPending }) => isPending).length
    let requested = 0
    for (const part of ['time-stamp', 'evidence'] as const) {
      const chosen = page.filter((state) => !state.isPending && choose(state) === part)
      if (chosen.length === 0) continue
      await store.requestEvidence(part, chosen)
      requested += chosen.length
    }
    progress.requested += requested
    yield { ...progress }
    await delay((60_000 * requested) / perMinute)
  }
}
