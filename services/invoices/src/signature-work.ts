/** Retried while the document exists: without time stamp, its proof ends with the certificate. */

import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Loop } from '@einvoicing/runtime/loop'
import { Outage } from '@einvoicing/runtime/outage'
import { toLogIds } from '@einvoicing/runtime/trace'
import { startTurns, type TurnDeps } from './work-turns'
import type { Deps } from './deps'
import { followedFrom } from './origin'
import type { QueuedWork, Queue } from './store/store'

/** In a row: more attempts would fail too. */
const failuresMax = 5
const lostMessage =
  'the archive no longer has this document, its signature gets no more evidence: ' +
  'restore it, then see npm run admin -- evidence'
/** To begin and to store the outcome: requests to an authority are paid for. */
const leaseReserveMs = 5_000

export type SignatureWorkDeps = TurnDeps & Pick<Deps, 'artefacts'>

export interface SignatureWork {
  name: string
  queue: Queue
  startMessage: string
  endMessage: string
  stopMessage: string
  deadlineMs: number
  /** Of `settle`, when it postpones the work itself. */
  longestWaitMs?: number
  settle(signed: SignedWork): Promise<object>
}

export interface SignedWork {
  work: QueuedWork
  invoice: Invoice
  requestId: string | undefined
}

export function startSignatureWork(deps: SignatureWorkDeps, signatureWork: SignatureWork): Loop {
  const { store, now, log } = deps
  const { name, queue, startMessage, endMessage, stopMessage } = signatureWork
  // A failed piece is not tried again sooner: until then it still waits.
  const outage = new Outage({ log, startMessage, endMessage, forgottenMs: 2 * longestPauseMs })

  const beginRun = (stop: () => void) => {
    let failures = 0
    return async (work: QueuedWork): Promise<void> => {
      const { organizationId, invoiceId, position, attempts } = work
      let ids: object = { invoiceId, organizationId }
      try {
        const invoice = await store.get(organizationId, invoiceId)
        if (!invoice) {
          await store.finishWork(work)
          outage.recovered(position)
          return
        }
        const followed = followedFrom(invoice)
        ids = { ...toLogIds(followed), ...ids }
        const { requestId } = followed
        const outcome = await signatureWork.settle({ work, invoice, requestId })
        failures = 0
        outage.recovered(position)
        log.debug({ ...ids, ...outcome }, `${name} settled`)
      } catch (err) {
        if (isLost(err)) {
          await abandon(store, work)
          outage.recovered(position)
          log.error({ err, ...ids }, lostMessage)
          return
        }
        failures += 1
        const nextAttemptAt = new Date(now().getTime() + pauseAfter(attempts)).toISOString()
        outage.failed(position, { err, ...ids, attempts: attempts + 1, nextAttemptAt })
        await store.postponeWork(work, { attempts: attempts + 1, nextAttemptAt })
        if (failures >= failuresMax) stop()
      }
    }
  }

  const turns = {
    name,
    queue,
    longestPauseMs: Math.max(longestPauseMs, signatureWork.longestWaitMs ?? 0),
    leaseMs: signatureWork.deadlineMs + leaseReserveMs,
    stopMessage,
  }
  return startTurns(deps, turns, beginRun)
}

/** Work is queued only for what was archived, so waiting would not help. */
function isLost(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'ARTEFACT_NOT_AVAILABLE'
}

/** Nor is it renewed, which would be requested again every minute. */
async function abandon(store: SignatureWorkDeps['store'], work: QueuedWork): Promise<void> {
  const held = await store.readEvidence(work.organizationId, work.invoiceId)
  if (!held || !('artefact' in held)) return store.finishWork(work)
  const { level, timeStampedAt, artefact } = held
  await store.keepEvidence(work, { level, timeStampedAt, artefact })
}

const pausesSeconds = [5, 10, 30, 60] as const
const lastPauseSeconds = 300
const longestPauseMs = lastPauseSeconds * 1.2 * 1_000

/** Jitter of a fifth in the last one, so that thousands do not come at once. */
export function pauseAfter(failedBefore: number, random = Math.random): number {
  const seconds = pausesSeconds[failedBefore] ?? lastPauseSeconds * (0.8 + 0.4 * random())
  return seconds * 1_000
}
