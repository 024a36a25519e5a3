/**
 * Restores invoices created after the backup of a store, or their numbers could be used twice. Each
 * is restored as SIGNED, so that the platform repeats its decision. Nothing is overwritten.
 */

import { serviceCaller } from '@einvoicing/rpc/caller'
import type { Clock } from '@einvoicing/runtime/clock'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Call } from '@einvoicing/rpc/call'
import { ApiError } from '@einvoicing/domain/api-error'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { ArtefactsService, KeptXml } from '@einvoicing/proto/artefacts'
import type { Invoice } from '@einvoicing/proto/invoice'
import { auditEntry } from '../audit'
import { changeMoment } from '../change-invoice'
import { signedEvent } from '../signed-event'
import { readUuidMoment } from '../uuid-moment'
import type { InvoiceStore, Write } from '../store/store'
import { addReferenceIds, recoverCredit } from './recover-credit'
import { OwnershipCheck, type StatedIces } from './ownership-check'
import { readOriginal } from './read-original'

export interface RecoveryDeps {
  store: Pick<
    InvoiceStore,
    | 'get'
    | 'getWithoutLines'
    | 'list'
    | 'readXml'
    | 'create'
    | 'change'
    | 'changeTogether'
    | 'takeEveryNeverSent'
  >
  artefacts: Pick<Service<ArtefactsService>, 'listKeptXml' | 'readKeptXml'>
  trusted: Pick<TrustedCertificates, 'list'>
  now: Clock
}

export interface Found extends KeptXml {
  invoiceNumber?: string
  invoiceDate?: string
  /** `missing` in a dry run; `reason` explains `refused`. */
  outcome: 'missing' | 'taken back' | 'refused'
  reason?: string
}

export interface Progress {
  originals: number
  found: Found[]
}

const originalsAtOnce = 8

export interface RecoveryOptions {
  take: boolean
  /** By organization, beside those of its stored invoices. */
  ices?: StatedIces
}

/** One result per page. Throws `SettingsError` without trusted certificates. */
export async function* recoverInvoices(
  deps: RecoveryDeps,
  { take, ices: stated = new Map() }: RecoveryOptions,
): AsyncGenerator<Progress> {
  const trusted = await deps.trusted.list()
  if (!trusted) {
    throw new SettingsError([
      'TRUSTED_CERTIFICATES_FILE is not set: name the PEM file of the authorities that issued the signing certificates',
    ])
  }
  const ownership = new OwnershipCheck({ store: deps.store, trusted, stated })
  // What was signed before the backup may have been sent after it.
  if (take) await deps.store.takeEveryNeverSent()
  let originals = 0
  let behind: string | undefined
  // Restored after what they refer to; of an organization, the archive lists the oldest first.
  const later: Record<Later, KeptXml[]> = { invoice: [], 'credit note': [] }
  do {
    const { kept, position } = await deps.artefacts.listKeptXml({ behind }, recoveryCall())
    const found: Found[] = []
    for (let at = 0; at < kept.length; at += originalsAtOnce) {
      const looked = kept
        .slice(at, at + originalsAtOnce)
        .map((each) => recoverOne({ ...deps, ownership }, each, { take, isLater: false }))
      for (const one of await Promise.all(looked)) {
        if (one && 'later' in one) later[one.later].push(one.kept)
        else if (one) found.push(one)
      }
    }
    originals += kept.length
    behind = position
    yield { originals, found }
  } while (behind !== undefined)
  for (const each of [...later.invoice, ...later['credit note']]) {
    const one = await recoverOne({ ...deps, ownership }, each, { take, isLater: true })
    if (one && !('later' in one)) yield { originals, found: [one] }
  }
}

type Deps = RecoveryDeps & { ownership: OwnershipCheck }

/** A credit note may correct an invoice that refers to another. */
type Later = 'invoice' | 'credit note'

interface Turn {
  take: boolean
  isLater: boolean
}

async function recoverOne(
  deps: Deps,
  kept: KeptXml,
  { take, isLater }: Turn,
): Promise<Found | { later: Later; kept: KeptXml } | undefined> {
  const { organizationId, invoiceId } = kept
  const stored = await deps.store.getWithoutLines(organizationId, invoiceId)
  try {
    if (stored?.xmlSha256 !== undefined) return await findSecondOriginal(deps, kept, stored)
    const { invoice, write } = await prepareWrite(deps, kept, stored)
    const { invoiceNumber, invoiceDate } = invoice
    const found = { ...kept, invoiceNumber, invoiceDate }
    if (stored && stored.status !== 'PENDING') {
      return { ...found, outcome: 'refused', reason: `the store has it ${stored.status}` }
    }
    if (!take) return { ...found, outcome: 'missing' }
    if (invoice.precedingInvoices && !isLater) {
      return { later: invoice.type === 'CREDIT_NOTE' ? 'credit note' : 'invoice', kept }
    }
    const outcome = await commit(deps, stored, write)
    if (outcome === 'created' || outcome === 'changed') return { ...found, outcome: 'taken back' }
    return { ...found, outcome: 'refused', reason: reasons[outcome] }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') throw error
    return { ...kept, outcome: 'refused', reason: (error as Error).message }
  }
}

/** The store drops its copy once the archive has it: only one that is left can be another. */
async function findSecondOriginal(
  { store, artefacts }: Deps,
  kept: KeptXml,
  { xmlSha256, invoiceNumber, invoiceDate }: Invoice,
): Promise<Found | undefined> {
  const { organizationId, invoiceId } = kept
  if (!(await store.readXml(organizationId, invoiceId))) return undefined
  const { sha256 } = await artefacts.readKeptXml({ invoiceId }, recoveryCall(organizationId))
  if (sha256 === xmlSha256) return undefined
  const reason = 'the store has another signed original of it'
  return { ...kept, invoiceNumber, invoiceDate, outcome: 'refused', reason }
}

async function commit(deps: Deps, seen: Invoice | undefined, write: Write) {
  if (write.invoice.type === 'CREDIT_NOTE') {
    const call = recoveryCall(write.invoice.organizationId)
    return recoverCredit(deps, { seen, write }, call)
  }
  const referring = { ...write, invoice: await addReferenceIds(deps, write.invoice) }
  return seen ? deps.store.change(seen, referring) : deps.store.create(referring)
}

const reasons = {
  'number-taken': 'another invoice of the organization has its number',
  moved: 'it was changed in the meantime: run this again',
}

async function prepareWrite(
  { artefacts, ownership, now }: Deps,
  { organizationId, invoiceId }: KeptXml,
  draft: Invoice | undefined,
): Promise<{ invoice: Invoice; write: Write }> {
  const { content, sha256 } = await artefacts.readKeptXml(
    { invoiceId },
    recoveryCall(organizationId),
  )
  await ownership.check(organizationId, content)
  const original = readOriginal(content)
  const moment = now()
  const at = draft ? changeMoment(moment, draft) : moment.toISOString()
  const invoice: Invoice = {
    ...original,
    id: invoiceId,
    organizationId,
    status: 'SIGNED',
    xmlSha256: sha256,
    // A new attempt: the old one would be too old and end in FAILED.
    clearanceStartedAt: at,
    createdAt: draft?.createdAt ?? readUuidMoment(invoiceId) ?? original.signedAt,
    updatedAt: at,
  }
  const audit = auditEntry('invoice.recovered', {
    at,
    actor: 'service:invoices',
    invoiceId,
    ...(draft && { from: draft.status }),
    to: 'SIGNED',
    detail: `taken back from the signed original in the archive, SHA-256 ${sha256}, because the restored store did not have it`,
    documentSha256: sha256,
  })
  // Artefacts in the archive are found again; a time stamp that only the store had is made again.
  return { invoice, write: { invoice, audit, event: signedEvent(invoice), work: 'evidence' } }
}

function recoveryCall(organizationId?: string): Call {
  return {
    caller: serviceCaller('invoices', organizationId),
    requestId: 'recovery',
    deadline: Date.now() + deadlinesMs.rpcInBackground,
  }
}
