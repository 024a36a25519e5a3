import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { minorUnitDigits } from '@einvoicing/domain/currency'
import type { AuditEntry, Invoice } from '@einvoicing/proto/invoice'
import mongoose from 'mongoose'
import type { AuditDocument, InvoiceDocument } from './schema'

const deflate = promisify(zlib.deflate)
const inflate = promisify(zlib.inflate)

// A document holds 16 MiB at most. The largest XML comes near that, and deflates well.
const deflatedFromBytes = 512 * 1024

type Content = Pick<InvoiceDocument, 'invoice' | 'lines' | 'order' | 'clearanceMs'>

export function toContent(whole: Invoice): Content {
  const { id: _id, organizationId: _organizationId, lines, ...content } = whole
  const { signatureLevel: _level, timeStampedAt: _at, ...invoice } = content
  const unit = 10 ** minorUnitDigits(invoice.currency)
  return {
    invoice,
    lines,
    order: {
      amountHt: invoice.amountHt / unit,
      amountVat: invoice.amountVat / unit,
      amountTtc: invoice.amountTtc / unit,
    },
    ...clearanceTime(invoice),
  }
}

function clearanceTime({
  status,
  signedAt,
  updatedAt,
  credits,
}: Content['invoice']): Pick<Content, 'clearanceMs'> {
  if ((status !== 'ACCEPTED' && status !== 'REJECTED') || signedAt === undefined) return {}
  // Clocks of two machines may differ.
  return {
    clearanceMs: Math.max(0, Date.parse(credits?.decidedAt ?? updatedAt) - Date.parse(signedAt)),
  }
}

export type KeptInvoice = Pick<InvoiceDocument, '_id' | 'organizationId' | 'invoice'> &
  Partial<Pick<InvoiceDocument, 'lines' | 'evidence'>>

export function toInvoice(kept: KeptInvoice): Invoice {
  const { _id, organizationId, invoice, lines = [], evidence } = kept
  const { level: signatureLevel, timeStampedAt } = evidence ?? {}
  return {
    id: _id,
    organizationId,
    ...invoice,
    lines,
    ...(signatureLevel && timeStampedAt && { signatureLevel, timeStampedAt }),
  }
}

export async function packXml(xml: Uint8Array): Promise<NonNullable<InvoiceDocument['xml']>> {
  const deflated = xml.length >= deflatedFromBytes
  const bytes = deflated ? await deflate(xml) : xml
  return { bytes: new mongoose.mongo.Binary(bytes), deflated }
}

export async function unpackXml(xml: InvoiceDocument['xml']): Promise<Uint8Array | undefined> {
  if (!xml) return undefined
  // The driver's buffer may be larger than the bytes used.
  const bytes = Buffer.from(xml.bytes.value())
  return xml.deflated ? inflate(bytes) : bytes
}

export function toAuditEntry(document: AuditDocument): AuditEntry {
  const { _id, organizationId: _organizationId, ...entry } = document
  return entry
}
