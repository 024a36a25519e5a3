/**
 * Has each signature time-stamped once its document is in the archive. It waits for nothing and
 * nothing waits for it: clearance and archive go on while the authority is unavailable. Work is
 * never given up, since without a time stamp a signature ends with its certificate.
 */

import { AlreadyReported, startLoop, type Loop } from '@einvoicing/runtime/loop'
import { Outage } from '@einvoicing/runtime/outage'
import { toLogIds } from '@einvoicing/runtime/trace'
import { ArchiveTurns } from './archive-turns'
import type { Deps } from './deps'
import { followedFrom } from './origin'
import type { RequestsFirst } from './requests-first'
import type { ArchiveWork } from './store/store'

const pauseMs = 5_000
const stampDeadlineMs = 15_000
/** In a row: more would find the same. */
const failuresMax = 5

type StamperDeps = Pick<Deps, 'store' | 'artefacts' | 'now' | 'log'> & {
  requests: RequestsFirst
  /** After each time stamp: more evidence may be due. */
  onStamped?: () => void
}

export function startTimeStamper(deps: StamperDeps): Loop {
  const { store, now, log } = deps
  const turns = new ArchiveTurns(deps, 'time-stamps')
  let failures = 0

  const outage = new Outage({
    log,
    startMessage: 'signatures get no time stamp; it is tried again',
    endMessage: 'all signatures are time-stamped again',
  })

  const settle = async (work: ArchiveWork): Promise<void> => {
    const { organizationId, invoiceId, position, attempts } = work
    let ids: object = { invoiceId, organizationId }
    try {
      const invoice = await store.get(organizationId, invoiceId)
      const followed = invoice ? followedFrom(invoice) : {}
      ids = { ...toLogIds(followed), ...ids }
      await stamp(deps, work, followed.requestId)
      failures = 0
      deps.onStamped?.()
      outage.recovered(position)
      log.debug(ids, 'time-stamped')
    } catch (err) {
      failures += 1
      const nextAttemptAt = new Date(now().getTime() + pauseAfter(attempts)).toISOString()
      outage.failed(position, { err, ...ids, attempts: attempts + 1, nextAttemptAt })
      await store.postponeArchiveWork(work, { attempts: attempts + 1, nextAttemptAt })
      if (failures >= failuresMax) turns.stop()
    }
  }

  return startLoop({ name: 'time-stamper', pauseMs, log }, async (closing) => {
    failures = 0
    const isStopped = await turns.run(settle, closing)
    if (isStopped) throw new AlreadyReported('the time-stamp authority is unavailable')
  })
}

async function stamp(
  { store, artefacts }: StamperDeps,
  work: ArchiveWork,
  requestId = `time-stamp-${work.invoiceId}`,
): Promise<void> {
  const { organizationId, invoiceId } = work
  // A second stamp would prove less and cost as much.
  if (await store.readEvidence(organizationId, invoiceId)) return store.finishArchiveWork(work)
  const caller = { service: 'invoices', organizationId, actor: 'service:invoices' } as const
  const deadline = Date.now() + stampDeadlineMs
  const answer = await artefacts.timeStampSignature({ invoiceId }, { caller, requestId, deadline })
  const { token, time: timeStampedAt, evidenceDue } = answer
  // None is wanted.
  if (!token || timeStampedAt === undefined) return store.finishArchiveWork(work)
  await store.keepTimeStamp(work, { level: 'XAdES-B-T', timeStampedAt, token }, evidenceDue)
}

const pausesSeconds = [5, 10, 30, 60] as const
const lastPauseSeconds = 300

/** With jitter of a fifth in the last one, so that thousands do not come at once. */
export function pauseAfter(failedBefore: number, random = Math.random): number {
  const seconds = pausesSeconds[failedBefore] ?? lastPauseSeconds * (0.8 + 0.4 * random())
  return seconds * 1_000
}
