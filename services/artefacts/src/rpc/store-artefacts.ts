import { isDecided } from '@einvoicing/domain/invoice-status'
import type { Call } from '@einvoicing/rpc/call'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Log } from '@einvoicing/runtime/log'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { inSpan } from '@einvoicing/runtime/trace'
import type { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import { DocumentError } from '@einvoicing/verification/signature-form'
import type { DocumentIdentity } from '@einvoicing/verification/verify-document'
import type { Empty } from '@einvoicing/proto/google/protobuf/empty'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceArtefactsRequest, KeepSignedXmlRequest } from '@einvoicing/proto/artefacts'
import { Histogram } from 'prom-client'
import { toStoredObject, artefactKey, type ArtefactKind } from '../artefact'
import type { Drawing } from '../drawing/drawing'
import type { SignedInvoice } from '../drawing/worker'
import type { EvidenceThreads } from '../evidence/threads'
import { reportForeign } from '../foreign-artefacts'
import type { Objects, StoredObject } from '../objects/objects'
import { requireOwnInvoice } from './check-invoice'
import { requireSignedXml, type Archive } from './signed-xml'

const putDuration = new Histogram({
  name: 'einvoicing_artefact_put_duration_seconds',
  help: 'Time to store an artefact durably, by artefact and outcome',
  labelNames: ['artefact', 'outcome'],
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

export interface Deps extends Archive {
  objects: Objects
  drawing: Drawing
  log: Log
  trusted: TrustedCertificates
  threads: Pick<EvidenceThreads, 'verifyOriginal'>
  /** Of the verification page; printed on the PDF. */
  findAddress: (invoice: Invoice) => string | undefined
}

/** Resolves once stored and compared. Throws for XML of another signer or invoice. */
export async function keepSignedXml(
  deps: Pick<Deps, 'objects' | 'recentXml' | 'trusted' | 'threads'>,
  request: KeepSignedXmlRequest,
  { caller, deadline }: Call,
): Promise<Empty> {
  const { objects, recentXml, trusted, threads } = deps
  const { invoiceId, invoiceDate, signedAt, xml, sha256 } = request
  const key = artefactKey(callerOrganization(caller), invoiceId, 'signedXml')
  const object = toStoredObject('signedXml', xml, { invoiceDate, signedAt })
  if (object.sha256 !== sha256) {
    throw new Error(`the signed XML of invoice ${invoiceId} does not have the SHA-256 given`)
  }
  const original = { xml, trusted: await trusted.list() }
  verifyBelongsTo(request, await threads.verifyOriginal(original, deadline))
  await timed(putDuration, { artefact: 'signedXml' }, () => objects.put(key, object))
  recentXml.add(key, object.bytes)
  return {}
}

/** The first version of a key counts for ten years, so it must be the right document. */
function verifyBelongsTo(
  { invoiceId, invoiceDate, invoiceNumber, issuerIce }: KeepSignedXmlRequest,
  found: DocumentIdentity,
): void {
  const stated: readonly [string, string, string | undefined][] = [
    ['date', found.date, invoiceDate],
    ['number', found.number, invoiceNumber],
    ["issuer's ICE", found.issuerIce, issuerIce],
  ]
  for (const [what, inDocument, expected] of stated) {
    if (expected === undefined || expected === inDocument) continue
    throw new DocumentError(
      `the signed XML sent for invoice ${invoiceId} is of another invoice: its ${what} is ${inDocument}, not ${expected}`,
    )
  }
}

export async function keepFinalArtefacts(
  deps: Deps,
  request: InvoiceArtefactsRequest,
  call: Call,
): Promise<Empty> {
  const invoice = requireOwnInvoice(request, call)
  if (!isDecided(invoice.status))
    throw new Error(`invoice ${invoice.id} is ${invoice.status}, not final`)
  const { deadline, span } = call
  const qrCode = (invoice.status === InvoiceStatus.ACCEPTED && invoice.dgiQrCode) || undefined
  const kinds = qrCode === undefined ? (['pdf'] as const) : (['pdf', 'qr'] as const)
  const signedXml = await requireSignedXml(deps, invoice, request.signedXml)
  const final = { invoice, signedXml, qrCode, address: deps.findAddress(invoice) }
  const drawing = deps.drawing.final(final, deadline, chooseLane(call))
  // Drawn together; traces show it under both names.
  const spans = kinds.map((kind) => inSpan(span, { name: `draw ${kind}` }, () => drawing))
  await Promise.all(spans)
  const drawn = await drawing
  await Promise.all(
    kinds.map(async (kind) => {
      const bytes = drawn[kind]
      if (bytes) await addArtefact(deps, invoice, { kind, bytes })
    }),
  )
  return {}
}

export interface Drawable {
  kind: ArtefactKind
  draw: () => Promise<Buffer>
}

export function preparePdf(
  { drawing, findAddress }: Deps,
  signed: SignedInvoice,
  call: Call,
): Drawable {
  const { deadline, span } = call
  const addressed = { ...signed, address: findAddress(signed.invoice) }
  const draw = () => drawing.pdf(addressed, deadline, chooseLane(call))
  return { kind: 'pdf', draw: () => inSpan(span, { name: 'draw pdf' }, draw) }
}

export function prepareQr({ drawing }: Deps, text: string, call: Call): Drawable {
  const { deadline, span } = call
  const draw = () => drawing.qr(text, deadline, chooseLane(call))
  return { kind: 'qr', draw: () => inSpan(span, { name: 'draw qr' }, draw) }
}

/** Separate lanes: an organization's readers and its archiver do not wait for each other. */
function chooseLane({ caller }: Call): string {
  return `${caller.service} ${caller.organizationId}`
}

export function findStored(
  { objects }: Pick<Deps, 'objects'>,
  { organizationId, id }: Invoice,
  kind: ArtefactKind,
): Promise<StoredObject | undefined> {
  return objects.get(artefactKey(organizationId, id, kind))
}

async function addArtefact(
  { objects, log }: Pick<Deps, 'objects' | 'log'>,
  invoice: Invoice,
  { kind, bytes }: { kind: 'pdf' | 'qr'; bytes: Buffer },
): Promise<void> {
  const { id: invoiceId, organizationId } = invoice
  const key = artefactKey(organizationId, invoiceId, kind)
  const drawn = toStoredObject(kind, bytes, invoice)
  if (await timed(putDuration, { artefact: kind }, () => objects.add(key, drawn))) return
  reportForeign(log, kind, { key, drawnSha256: drawn.sha256, invoiceId, organizationId })
}
