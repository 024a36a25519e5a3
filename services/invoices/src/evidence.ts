/**
 * Has what later verifiers need added to each time-stamped signature, once authorities published
 * it, and renewed before it ends. It delays nothing else, and is never given up: without evidence a
 * document ends with the certificate that signed it. What was written before a crash is found
 * again.
 */

import { AlreadyReported, startLoop, type Loop } from '@einvoicing/runtime/loop'
import { Outage } from '@einvoicing/runtime/outage'
import { toLogIds } from '@einvoicing/runtime/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import { ArchiveTurns } from './archive-turns'
import type { Deps } from './deps'
import { followedFrom } from './origin'
import type { RequestsFirst } from './requests-first'
import type { ArchivedEvidence, ArchiveWork } from './store/store'
import { pauseAfter } from './time-stamper'

const pauseMs = 5_000
/** A request to each authority, and the archive. */
const deadlineMs = 60_000
/** In a row: more would find the same. */
const failuresMax = 5

type EvidenceDeps = Pick<Deps, 'store' | 'artefacts' | 'now' | 'log'> & {
  requests: RequestsFirst
}

export function startEvidence(deps: EvidenceDeps): Loop {
  const { store, now, log } = deps
  const turns = new ArchiveTurns(deps, 'evidence')
  let failures = 0

  const outage = new Outage({
    log,
    startMessage: 'signatures get no evidence beyond their time stamp; it is tried again',
    endMessage: 'evidence is added again',
  })

  const settle = async (work: ArchiveWork): Promise<void> => {
    const { organizationId, invoiceId, position, attempts } = work
    let ids: object = { invoiceId, organizationId }
    try {
      const invoice = await store.get(organizationId, invoiceId)
      if (!invoice) {
        await store.finishArchiveWork(work)
        return
      }
      const { requestId, ...followed } = followedFrom(invoice)
      ids = { ...toLogIds(followed), ...ids }
      const outcome = await addEvidence(deps, { work, invoice, requestId })
      failures = 0
      outage.recovered(position)
      log.debug({ ...ids, ...outcome }, 'evidence settled')
    } catch (err) {
      failures += 1
      const nextAttemptAt = new Date(now().getTime() + pauseAfter(attempts)).toISOString()
      outage.failed(position, { err, ...ids, attempts: attempts + 1, nextAttemptAt })
      await store.postponeArchiveWork(work, { attempts: attempts + 1, nextAttemptAt })
      if (failures >= failuresMax) turns.stop()
    }
  }

  return startLoop({ name: 'evidence', pauseMs, log }, async (closing) => {
    failures = 0
    const isStopped = await turns.run(settle, closing)
    if (isStopped) throw new AlreadyReported('no evidence can be added')
  })
}

interface Stamped {
  work: ArchiveWork
  invoice: Invoice
  requestId: string | undefined
}

/** Returns what was settled, for the log. */
async function addEvidence(
  { store, artefacts }: Pick<EvidenceDeps, 'store' | 'artefacts'>,
  { work, invoice, requestId = `evidence-${work.invoiceId}` }: Stamped,
): Promise<object> {
  const { organizationId, invoiceId } = work
  const { invoiceDate, signedAt } = invoice
  const held = await store.readEvidence(organizationId, invoiceId)
  const token = held?.token && Buffer.from(held.token)
  const artefact = held && 'artefact' in held ? held.artefact : undefined
  const answer = await artefacts.addEvidence(
    { invoiceId, invoiceDate, signedAt, token, artefact },
    {
      caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
      requestId,
      deadline: Date.now() + deadlineMs,
    },
  )
  const { waitUntil } = answer
  if (waitUntil !== undefined) {
    await store.postponeArchiveWork(work, { attempts: 0, nextAttemptAt: waitUntil })
    return { waitUntil }
  }
  const kept = readAnswer(answer)
  if (kept) {
    await store.keepEvidence(work, kept)
    return kept
  }
  await store.finishArchiveWork(work)
  if (!held) await store.requestEvidence('time-stamp', [{ organizationId, invoiceId }])
  return {}
}

type Answer = Awaited<ReturnType<EvidenceDeps['artefacts']['addEvidence']>>

function readAnswer({ level, artefact, timeStampedAt, renewBy }: Answer) {
  if (level === undefined || artefact === undefined || timeStampedAt === undefined) return undefined
  return { level: level as ArchivedEvidence['level'], artefact, timeStampedAt, renewBy }
}
