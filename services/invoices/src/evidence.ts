import { deadlinesMs } from '@einvoicing/domain/limits'
import { serviceCaller } from '@einvoicing/rpc/caller'
import type { Loop } from '@einvoicing/runtime/loop'
import { startSignatureWork, type SignatureWorkDeps, type SignedWork } from './signature-work'
import type { ArchivedEvidence } from './store/store'

const deadlineMs = deadlinesMs.rpcInBackground
/** For what authorities publish, and for a certificate to be replaced. */
const longestWaitMs = 2 * 86_400_000

export function startEvidence(deps: SignatureWorkDeps): Loop {
  return startSignatureWork(deps, {
    name: 'evidence',
    queue: 'evidence',
    startMessage: 'signatures get no evidence beyond their time stamp, retrying',
    endMessage: 'no signature waits for another attempt at its evidence',
    stopMessage: 'no evidence can be added',
    deadlineMs,
    longestWaitMs,
    settle: (signed) => addEvidence(deps, signed),
  })
}

async function addEvidence(
  { store, artefacts }: Pick<SignatureWorkDeps, 'store' | 'artefacts'>,
  { work, invoice, requestId = `evidence-${work.invoiceId}` }: SignedWork,
): Promise<object> {
  const { organizationId, invoiceId } = work
  const { invoiceDate, signedAt } = invoice
  const held = await store.readEvidence(organizationId, invoiceId)
  const token = held?.token && Buffer.from(held.token)
  const artefact = held && 'artefact' in held ? held.artefact : undefined
  const answer = await artefacts.addEvidence(
    { invoiceId, invoiceDate, signedAt, token, artefact },
    {
      caller: serviceCaller('invoices', organizationId),
      requestId,
      deadline: Date.now() + deadlineMs,
    },
  )
  const { waitUntil } = answer
  if (waitUntil !== undefined) {
    await store.postponeWork(work, { attempts: 0, nextAttemptAt: waitUntil })
    return { waitUntil }
  }
  const kept = readAnswer(answer)
  if (kept) {
    await store.keepEvidence(work, kept)
    return kept
  }
  await store.finishWork(work, held ? undefined : 'time-stamp')
  return {}
}

type Answer = Awaited<ReturnType<SignatureWorkDeps['artefacts']['addEvidence']>>

function readAnswer({ level, artefact, timeStampedAt, renewBy }: Answer) {
  if (level === undefined || artefact === undefined || timeStampedAt === undefined) return undefined
  return { level: level as ArchivedEvidence['level'], artefact, timeStampedAt, renewBy }
}
