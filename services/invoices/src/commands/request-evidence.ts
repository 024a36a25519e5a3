import { setTimeout as delay } from 'node:timers/promises'
import type { EvidencePart, InvoiceStore, SignedState } from '../store/store'

type Store = Pick<InvoiceStore, 'listSigned' | 'listRenewals' | 'requestEvidence'>

export interface Requests {
  store: Store
  /** One page at once, then a pause. */
  perMinute: number
  now: () => Date
}

export interface RequestProgress {
  looked: number
  requested: number
  pending: number
}

const pageSize = 200

/** A time stamp for documents without; an archive time stamp where the settings require one. */
export function backfillEvidence(requests: Requests): AsyncGenerator<RequestProgress> {
  return requestAll(requests, ({ level }) => {
    if (level === 'XAdES-B-B') return 'time-stamp'
    return level === 'XAdES-B-LTA' ? undefined : 'evidence'
  })
}

/** All evidence is checked again, after the settings changed. */
export function reviewEvidence(requests: Requests): AsyncGenerator<RequestProgress> {
  return requestAll(requests, ({ artefact }) => (artefact === undefined ? undefined : 'evidence'))
}

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
