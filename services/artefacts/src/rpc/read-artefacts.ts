import { callerOrganization } from '@einvoicing/rpc/caller'
import { ApiError } from '@einvoicing/domain/api-error'
import { isDecided } from '@einvoicing/domain/invoice-status'
import type { Call } from '@einvoicing/rpc/call'
import type {
  Artefact,
  InvoiceArtefactsRequest,
  KeptXmlPage,
  ListKeptXmlRequest,
  ReadKeptXmlRequest,
} from '@einvoicing/proto/artefacts'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { qrNotAvailable } from '@einvoicing/domain/invoice-errors'
import { toStoredObject, artefactKey, findOwnerOfSignedXml } from '../artefact'
import { findStored, preparePdf, prepareQr, type Deps, type Drawable } from './store-artefacts'
import type { StoredObject } from '../objects/objects'
import { requireOwnInvoice } from './check-invoice'
import { findSignedXmlIfThere } from './signed-xml'

export async function readKeptXml(
  { objects }: Deps,
  { invoiceId }: ReadKeptXmlRequest,
  { caller }: Call,
): Promise<Artefact> {
  const stored = await objects.get(artefactKey(callerOrganization(caller), invoiceId, 'signedXml'))
  if (!stored)
    throw artefactNotAvailable(
      'The signed XML of this invoice is not in the archive yet: try again shortly.',
    )
  return toWire(stored)
}

const keysAPage = 300

export async function listKeptXml(
  { objects }: Pick<Deps, 'objects'>,
  { behind }: ListKeptXmlRequest,
): Promise<KeptXmlPage> {
  const keys = await objects.list(behind, keysAPage)
  return { kept: keys.flatMap((key) => findOwnerOfSignedXml(key) ?? []), position: keys.at(-1) }
}

/** ARTEFACT_NOT_AVAILABLE for PENDING and CANCELLED. */
export async function readPdf(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Artefact> {
  const invoice = requireOwnInvoice(request, call)
  const why = reasonsForNoPdf[invoice.status]
  if (why) throw artefactNotAvailable(why)
  // The printed content cannot change any more.
  const stored = isDecided(invoice.status) && (await findStored(deps, invoice, 'pdf'))
  if (stored) return toWire(stored)
  const signedXml = await findSignedXmlIfThere(deps, invoice, request.signedXml)
  return drawArtefact(invoice, preparePdf(deps, { invoice, signedXml }, call))
}

export async function drawPreview(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Artefact> {
  const invoice = requireOwnInvoice(request, call)
  if (invoice.status !== InvoiceStatus.PENDING) {
    throw new Error(`preview of invoice ${invoice.id}, which is ${invoice.status}`)
  }
  return drawArtefact(invoice, preparePdf(deps, { invoice }, call))
}

/** ARTEFACT_NOT_AVAILABLE before ACCEPTED. */
export async function readQr(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Artefact> {
  const invoice = requireOwnInvoice(request, call)
  if (invoice.status !== InvoiceStatus.ACCEPTED || !invoice.dgiQrCode) {
    throw qrNotAvailable(invoice)
  }
  return readOrDraw(deps, invoice, prepareQr(deps, invoice.dgiQrCode, call))
}

/** Not stored: the content comes from the caller, and reads do not write to the archive. */
async function readOrDraw(deps: Deps, invoice: Invoice, drawable: Drawable): Promise<Artefact> {
  const stored = await findStored(deps, invoice, drawable.kind)
  return stored ? toWire(stored) : drawArtefact(invoice, drawable)
}

async function drawArtefact(invoice: Invoice, { kind, draw }: Drawable): Promise<Artefact> {
  return toWire(toStoredObject(kind, await draw(), invoice))
}

const sign = 'sign it first (POST /v1/invoices/:id/sign)'

const reasonsForNoPdf: Partial<Record<InvoiceStatus, string>> = {
  PENDING: `A PENDING invoice has no PDF, because it can still change: ${sign}.`,
  CANCELLED: 'This invoice was cancelled before it was signed, so it has no PDF.',
}

function artefactNotAvailable(sentence: string): ApiError {
  return new ApiError('ARTEFACT_NOT_AVAILABLE', sentence)
}

function toWire({ bytes, mediaType, sha256 }: StoredObject): Artefact {
  return { content: bytes, mediaType, sha256 }
}
