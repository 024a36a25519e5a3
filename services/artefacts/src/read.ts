/** Reading artefacts: what is kept, or what can be drawn now. */

import { callerOrganization } from '@einvoicing/rpc/caller'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type {
  Artefact,
  InvoiceArtefactsRequest,
  KeptXmlPage,
  ListKeptXmlRequest,
  ReadKeptXmlRequest,
} from '@einvoicing/proto/artefacts'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { artefact, artefactKey, ownerOfSignedXml } from './artefact'
import { isFinal, keptOf, pdfOf, qrOf, type Deps, type Drawable } from './keep'
import type { StoredObject } from './objects/objects'
import { invoiceOf } from './request'
import { qrNotAvailable } from '@einvoicing/domain/invoice-errors'

/** ARTEFACT_NOT_AVAILABLE when none was kept. */
export async function readKeptXml(
  { objects }: Deps,
  { invoiceId }: ReadKeptXmlRequest,
  { caller }: Call,
): Promise<Artefact> {
  const kept = await objects.get(artefactKey(callerOrganization(caller), invoiceId, 'signedXml'))
  if (!kept)
    throw notAvailable(
      'The signed XML of this invoice is not in the archive yet: ask again shortly.',
    )
  return toWire(kept)
}

const keysAPage = 300

/** A page of whose signed XML is kept, of every organization. */
export async function listKeptXml(
  { objects }: Pick<Deps, 'objects'>,
  { behind }: ListKeptXmlRequest,
): Promise<KeptXmlPage> {
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
  return isFinal(invoice) ? keptOrDrawn(deps, invoice, pdf) : drawn(invoice, pdf)
}

/** The QR code that the tax authority gave; ARTEFACT_NOT_AVAILABLE before ACCEPTED. */
export async function readQr(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Artefact> {
  const invoice = invoiceOf(request, call)
  if (invoice.status !== InvoiceStatus.ACCEPTED || !invoice.dgiQrCode) {
    throw qrNotAvailable(invoice.status)
  }
  return keptOrDrawn(deps, invoice, qrOf(deps, invoice.dgiQrCode, call))
}

/** Never kept: a read shows to its caller what it sent, and the archive takes nothing from it. */
async function keptOrDrawn(deps: Deps, invoice: Invoice, drawable: Drawable): Promise<Artefact> {
  const kept = await keptOf(deps, invoice, drawable.kind)
  return kept ? toWire(kept) : drawn(invoice, drawable)
}

async function drawn(invoice: Invoice, { kind, draw }: Drawable): Promise<Artefact> {
  return toWire(artefact(kind, await draw(), invoice))
}

const sign = 'sign it first (POST /v1/invoices/:id/sign)'

const noPdfBecause: Partial<Record<InvoiceStatus, string>> = {
  PENDING: `A PENDING invoice has no PDF, because it can still change: ${sign}.`,
  CANCELLED: 'This invoice was cancelled before it was signed, so it has no PDF.',
}

function notAvailable(sentence: string): ApiError {
  return new ApiError('ARTEFACT_NOT_AVAILABLE', sentence)
}

function toWire({ bytes, mediaType, sha256 }: StoredObject): Artefact {
  return { content: bytes, mediaType, sha256 }
}
