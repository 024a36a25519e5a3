/** Reading artefacts: what is kept, or what can be drawn now. */

import { organizationOf } from '@einvoicing/kernel/caller'
import { Refusal } from '@einvoicing/kernel/refusal'
import type { Call } from '@einvoicing/kernel/rpc'
import type {
  Artefact,
  InvoiceArtefactsRequest,
  KeptXmlPage,
  ListKeptXmlRequest,
  ReadKeptXmlRequest,
} from '@einvoicing/proto/artefacts'
import { InvoiceStatus } from '@einvoicing/proto/invoice'
import { artefact, artefactKey, ownerOfSignedXml } from './artefact'
import { isFinal, keptOrDrawn, pdfOf, qrOf, type Deps } from './keep'
import type { StoredObject } from './objects/objects'
import { invoiceOf } from './request'

/** ARTEFACT_NOT_AVAILABLE when none was kept. */
export async function readKeptXml(
  { objects }: Deps,
  { invoiceId }: ReadKeptXmlRequest,
  { caller }: Call,
): Promise<Artefact> {
  const kept = await objects.get(artefactKey(organizationOf(caller), invoiceId, 'signedXml'))
  if (!kept)
    throw notAvailable(
      'The signed XML of this invoice is not in the archive yet: ask again shortly.',
    )
  return toWire(kept)
}

const keysAPage = 300

/** A page of whose signed XML is kept. CALLER_REFUSED to all but `invoices`. */
export async function listKeptXml(
  { objects }: Pick<Deps, 'objects'>,
  { behind }: ListKeptXmlRequest,
  { caller }: Call,
): Promise<KeptXmlPage> {
  // It tells of every organization, so not to a door that strangers knock at.
  if (caller.service !== 'invoices') {
    throw new Refusal(
      'CALLER_REFUSED',
      'Only invoices may list what is kept of every organization.',
    )
  }
  const keys = await objects.list(behind, keysAPage)
  return { kept: keys.flatMap((key) => ownerOfSignedXml(key) ?? []), position: keys.at(-1) }
}

/**
 * The kept PDF of a final invoice, one drawn now of any other; ARTEFACT_NOT_AVAILABLE for PENDING
 * and CANCELLED.
 */
export async function readPdf(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Artefact> {
  const invoice = invoiceOf(request, call)
  const why = noPdfBecause[invoice.status]
  if (why) throw notAvailable(why)
  const pdf = pdfOf(deps, invoice, call)
  if (isFinal(invoice)) return toWire(await keptOrDrawn(deps, invoice, pdf))
  return toWire(artefact('pdf', await pdf.draw(), invoice.invoiceDate))
}

/** The QR code that the tax authority gave; ARTEFACT_NOT_AVAILABLE before ACCEPTED. */
export async function readQr(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Artefact> {
  const invoice = invoiceOf(request, call)
  if (invoice.status !== InvoiceStatus.ACCEPTED || !invoice.dgiQrCode) {
    throw notAvailable(
      noQrBecause[invoice.status] ?? 'The tax authority gave no QR code for this invoice.',
    )
  }
  return toWire(await keptOrDrawn(deps, invoice, qrOf(deps, invoice.dgiQrCode, call)))
}

const sign = 'sign it first (POST /v1/invoices/:id/sign)'
const wait = 'wait until GET /v1/invoices/:id/status says ACCEPTED'

const noPdfBecause: Partial<Record<InvoiceStatus, string>> = {
  PENDING: `A PENDING invoice has no PDF, because it can still change: ${sign}.`,
  CANCELLED: 'This invoice was cancelled before it was signed, so it has no PDF.',
}

const noQrBecause: Partial<Record<InvoiceStatus, string>> = {
  PENDING: `A PENDING invoice has no QR code, because the tax authority has not seen it: ${sign}.`,
  SIGNED: `The tax authority has not accepted this invoice yet, so it has no QR code: ${wait}.`,
  TRANSMITTED: `The tax authority has not accepted this invoice yet, so it has no QR code: ${wait}.`,
  REJECTED: 'The tax authority rejected this invoice, so it has no QR code: see dgiErrorCode.',
  FAILED:
    'This invoice could not be transmitted, so it has no QR code: send it again (POST /v1/invoices/:id/resubmit).',
  CANCELLED: 'This invoice was cancelled before it was signed, so it has no QR code.',
}

function notAvailable(sentence: string): Refusal {
  return new Refusal('ARTEFACT_NOT_AVAILABLE', sentence)
}

function toWire({ bytes, mediaType, sha256 }: StoredObject): Artefact {
  return { content: bytes, mediaType, sha256 }
}
