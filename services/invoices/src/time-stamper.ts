import { serviceCaller } from '@einvoicing/rpc/caller'
import type { Loop } from '@einvoicing/runtime/loop'
import { startSignatureWork, type SignatureWorkDeps, type SignedWork } from './signature-work'

const deadlineMs = 15_000

type StamperDeps = SignatureWorkDeps & {
  /** More evidence is due at once, and not when an authority publishes next. */
  onEvidenceDue?: () => void
}

export function startTimeStamper(deps: StamperDeps): Loop {
  return startSignatureWork(deps, {
    name: 'time-stamper',
    queue: 'time-stamps',
    startMessage: 'signatures get no time stamp, retrying',
    endMessage: 'no signature waits for another attempt at its time stamp',
    stopMessage: 'the time-stamp authority is unavailable',
    deadlineMs,
    settle: (signed) => stamp(deps, signed),
  })
}

async function stamp(
  { store, artefacts, now, onEvidenceDue }: StamperDeps,
  { work, invoice, requestId = `time-stamp-${work.invoiceId}` }: SignedWork,
): Promise<object> {
  const { organizationId, invoiceId } = work
  const finish = async () => {
    await store.finishWork(work)
    return {}
  }
  // A second stamp would prove less and cost as much.
  if (invoice.timeStampedAt !== undefined) return finish()
  const caller = serviceCaller('invoices', organizationId)
  const deadline = Date.now() + deadlineMs
  const answer = await artefacts.timeStampSignature({ invoiceId }, { caller, requestId, deadline })
  const { token, time: timeStampedAt, evidenceDue } = answer
  // No time stamp is wanted.
  if (!token || timeStampedAt === undefined) return finish()
  await store.keepTimeStamp(work, { level: 'XAdES-B-T', timeStampedAt, token }, evidenceDue)
  if (evidenceDue !== undefined && evidenceDue <= now().toISOString()) onEvidenceDue?.()
  return { timeStampedAt }
}
