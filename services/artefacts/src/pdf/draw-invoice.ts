import PDFDocument from 'pdfkit'
import type { Environment } from '@einvoicing/domain/environment'
import { kindOf, type DocumentKind } from '@einvoicing/profile/document-kinds'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Faces } from '../text/fonts'
import { Typesetter } from '../text/typesetter'
import { drawAdjustments } from './adjustments'
import { drawClosing } from './closing'
import { drawFooters } from './footer'
import { drawHeading } from './heading'
import { drawLinesTable } from './lines-table'
import { drawParties } from './parties'
import { Sheet } from './sheet'
import { drawStatus } from './status'
import { drawWatermark } from './watermark'

export interface PrintOptions {
  environment?: Environment
}

/** Byte for byte the same for the same invoice. Throws for a status without a PDF. */
export async function drawInvoice(
  invoice: Invoice,
  faces: Faces,
  { environment = 'live' }: PrintOptions = {},
): Promise<Buffer> {
  const kind = kindOf(invoice)
  const document = openDocument(invoice, kind)
  const bytes = collect(document)
  const sheet = new Sheet({
    document,
    type: new Typesetter(document, faces),
    invoice,
    kind,
    environment,
    drawGround: drawWatermark,
  })
  let y = sheet.addPage()
  const parts = [
    ...[drawHeading, drawParties, drawStatus],
    ...[drawLinesTable, drawAdjustments, drawClosing],
  ]
  for (const draw of parts) y = draw(sheet, y)
  drawFooters(sheet)
  sheet.type.embedFonts()
  document.end()
  return bytes
}

function openDocument(
  invoice: Invoice,
  { french }: DocumentKind,
): InstanceType<typeof PDFDocument> {
  const { dgiValidatedAt, dgiRejectedAt, signedAt, createdAt } = invoice
  return new PDFDocument({
    // From 1.4 on pdfkit adds XMP metadata and does not escape titles in it.
    pdfVersion: '1.3',
    // pdfkit would open its default font each time and never use it.
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    lang: 'fr-MA',
    displayTitle: true,
    info: {
      Title: `${french.noun} ${invoice.invoiceNumber}`,
      Author: invoice.issuer?.name ?? '',
      Subject: `${invoice.id} ${invoice.status}`,
      Creator: 'einvoicing',
      Producer: 'einvoicing',
      CreationDate: new Date(dgiValidatedAt ?? dgiRejectedAt ?? signedAt ?? createdAt),
    },
  })
}

function collect(document: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
}
