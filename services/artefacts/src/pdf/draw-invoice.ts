import PDFDocument from 'pdfkit'
import type { Environment } from '@einvoicing/domain/environment'
import { readKind, type DocumentKind } from '@einvoicing/profile/document-kinds'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Faces } from '../text/fonts'
import { Typesetter } from '../text/typesetter'
import { sha256Hex } from '../objects/digest'
import { drawAdjustments } from './adjustments'
import { attachOriginal } from './attachment'
import { drawClosing } from './closing'
import { drawFooters } from './footer'
import { drawHeading } from './heading'
import { drawLinesTable } from './lines-table'
import { describeDocument } from './metadata'
import { drawParties } from './parties'
import { Sheet } from './sheet'
import { drawStatus } from './status'
import { drawWatermark } from './watermark'

export interface PrintOptions {
  environment?: Environment
  /** Embedded unchanged; a draft has none. */
  signedXml?: Buffer | undefined
  address?: string | undefined
}

/** The same bytes for the same invoice. Throws for a status without a PDF. */
export async function drawInvoice(
  invoice: Invoice,
  faces: Faces,
  { environment = 'live', signedXml, address }: PrintOptions = {},
): Promise<Buffer> {
  const kind = readKind(invoice)
  const document = openDocument(invoice, kind)
  const bytes = collect(document)
  const sheet = new Sheet({
    document,
    type: new Typesetter(document, faces),
    invoice,
    kind,
    environment,
    originalSha256: signedXml && sha256Hex(signedXml),
    address,
    drawGround: drawWatermark,
  })
  let y = sheet.addPage()
  const sections = [
    ...[[drawHeading], [drawParties], [drawStatus]],
    ...[[drawLinesTable, drawAdjustments], [drawClosing]],
  ]
  for (const parts of sections) {
    sheet.type.tags.section(() => {
      for (const draw of parts) y = draw(sheet, y)
    })
  }
  drawFooters(sheet)
  sheet.type.end()
  if (signedXml) {
    const { signedAt, createdAt } = invoice
    const at = new Date(signedAt ?? createdAt)
    attachOriginal(document, { name: kind.fileName, bytes: signedXml, signedAt: at })
  }
  document.end()
  return bytes
}

const program = 'einvoicing'

function openDocument(
  invoice: Invoice,
  { french }: DocumentKind,
): InstanceType<typeof PDFDocument> {
  const { dgiValidatedAt, dgiRejectedAt, signedAt, createdAt } = invoice
  const at = new Date(dgiValidatedAt ?? dgiRejectedAt ?? signedAt ?? createdAt)
  const title = `${french.noun} ${invoice.invoiceNumber}`
  const author = invoice.issuer?.name ?? ''
  const subject = `${invoice.id} ${invoice.status}`
  const document = new PDFDocument({
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    // pdfkit would open its default font each time and never use it.
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    lang: 'fr-MA',
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Subject: subject,
      Creator: program,
      Producer: program,
      CreationDate: at,
      ModDate: at,
    },
  })
  describeDocument(document, { title, author, subject, program, at })
  return document
}

function collect(document: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
}
