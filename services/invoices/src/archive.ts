/**
 * Runs outside the request: invoices are created while the archive is unavailable. The inline XML
 * is dropped only after the archive confirmed its SHA-256. An outage does not count as an attempt.
 */

import { serviceCaller } from '@einvoicing/rpc/caller'
import { Outage } from '@einvoicing/runtime/outage'
import { unavailableEssentials } from '@einvoicing/rpc/readiness'
import { ApiError } from '@einvoicing/domain/api-error'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import { toLogIds, inSpan, type TracedWork } from '@einvoicing/runtime/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import { v7 as uuidV7 } from 'uuid'
import { longestPauseMs, nextAttempt, watchStoring, type ArchiveOutage } from './archive-attempts'
import { shareAnswers } from './share-answers'
import { startTurns, type TurnDeps } from './work-turns'
import type { Deps } from './deps'
import type { Loop } from '@einvoicing/runtime/loop'
import { followedFrom } from './origin'
import type { Position, QueuedWork } from './store/store'

const turns = {
  name: 'archiver',
  queue: 'archive',
  longestPauseMs,
  /** Longer than a usual attempt; archiving once more is harmless. */
  leaseMs: 20_000,
  stopMessage: 'the archive is unavailable',
} as const
const checkDeadlineMs = 5_000
const errorLength = 500
const givenUpMessage =
  'artefact still not archived after many attempts: see npm run admin -- archive list'

type ArchiveDeps = TurnDeps &
  Pick<Deps, 'artefacts'> & {
    /** Called after each document: its time stamp is due. */
    onArchived?: () => void
  }

export function startArchiver(deps: ArchiveDeps): Loop {
  const { store, now, log } = deps
  const storing = watchStoring()
  // Failures at the same time share a check; later ones make another.
  const checkArchive = shareAnswers(() => isArchiveUp(deps))
  const outage = new Outage({
    log,
    startMessage: 'archiving failed, retrying',
    endMessage: 'no document waits for another attempt at archiving',
    forgottenMs: 2 * longestPauseMs,
  })

  const beginRun = (stop: () => void) => {
    const findOutage = async (position: Position): Promise<ArchiveOutage | undefined> => {
      const storesNothing = storing.isOutageAfter(position)
      if (!(await checkArchive())) return 'unreachable'
      return storesNothing ? 'storesNothing' : undefined
    }

    const afterFailure = async (work: QueuedWork, err: unknown, ids: object): Promise<void> => {
      const { organizationId, invoiceId, part, position } = work
      const mayPass = mayBeOutage(err)
      const outageNow = mayPass ? await findOutage(position) : undefined
      const next = nextAttempt(work.attempts, { outage: outageNow, mayPass, now: now() })
      const fields = { err, ...ids, invoiceId, organizationId, part, attempts: next.attempts }
      if (next.kind === 'give-up') {
        const error = (err as Error).message.slice(0, errorLength)
        await store.buryArchiveWork(work, { ...next, at: now().toISOString(), error })
        outage.recovered(position)
        log.error(fields, givenUpMessage)
        return
      }
      outage.failed(position, { ...fields, nextAttemptAt: next.nextAttemptAt })
      await store.postponeWork(work, next)
      if (outageNow) stop()
    }

    return async (work: QueuedWork): Promise<void> => {
      const { organizationId, invoiceId, part, position } = work
      let ids: object = {}
      try {
        const invoice = await store.get(organizationId, invoiceId)
        if (!invoice) {
          await store.finishWork(work)
          outage.recovered(position)
          return
        }
        const followed = followedFrom(invoice)
        ids = toLogIds(followed)
        await storeArtefacts(deps, work, { invoice, followed })
        storing.stored()
        await store.finishWork(work)
        if (part === 'signed-xml') deps.onArchived?.()
        outage.recovered(position)
        log.debug({ ...ids, invoiceId, organizationId, part }, 'archived')
      } catch (err) {
        await afterFailure(work, err, ids)
      }
    }
  }

  return startTurns(deps, turns, beginRun)
}

/** S3 answers "unavailable" also for a single object, so the archive itself is checked. */
function mayBeOutage(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'SERVICE_UNAVAILABLE'
}

async function isArchiveUp({ artefacts }: ArchiveDeps): Promise<boolean> {
  const caller = serviceCaller('invoices')
  const deadline = Date.now() + checkDeadlineMs
  try {
    const readiness = await artefacts.checkArtefacts({}, { caller, requestId: uuidV7(), deadline })
    return unavailableEssentials(readiness).length === 0
  } catch {
    return false
  }
}

interface ArchivedInvoice {
  invoice: Invoice
  followed: TracedWork
}

function storeArtefacts(
  deps: ArchiveDeps,
  work: QueuedWork,
  { invoice, followed }: ArchivedInvoice,
): Promise<void> {
  const { part, invoiceId } = work
  const attributes = { 'einvoicing.invoice.id': invoiceId }
  return inSpan(followed.span, { name: `archive ${part}`, attributes }, (span) => {
    const call = archiverCall(work, { ...followed, span })
    return part === 'signed-xml'
      ? storeSignedXml(deps, invoice, call)
      : storeFinal(deps, invoice, call)
  })
}

async function storeSignedXml(deps: ArchiveDeps, invoice: Invoice, call: Call): Promise<void> {
  const { id: invoiceId, organizationId, invoiceDate, signedAt, xmlSha256: sha256 } = invoice
  const { invoiceNumber, issuer } = invoice
  const xml = await deps.store.readXml(organizationId, invoiceId)
  // Already done, if a process crashed after the archive's answer.
  if (!sha256 || !xml) return
  const request = { invoiceId, invoiceDate, signedAt, xml: Buffer.from(xml), sha256 }
  await deps.artefacts.keepSignedXml({ ...request, invoiceNumber, issuerIce: issuer?.ice }, call)
}

async function storeFinal(deps: ArchiveDeps, invoice: Invoice, call: Call): Promise<void> {
  // The PDF embeds the XML, which is read from the archive when no longer stored here.
  const xml = await deps.store.readXml(invoice.organizationId, invoice.id)
  const signedXml = xml && Buffer.from(xml)
  await deps.artefacts.keepFinalArtefacts({ invoice, signedXml }, call)
}

function archiverCall({ organizationId, invoiceId }: QueuedWork, followed: TracedWork): Call {
  return {
    caller: serviceCaller('invoices', organizationId),
    requestId: followed.requestId ?? `archive-${invoiceId}`,
    span: followed.span,
    deadline: Date.now() + deadlinesMs.rpcInBackground,
  }
}
