/** What the tax authority has said of the invoice so far; once it accepted, its reference and its QR code. */

import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { frenchTimestamp } from '../french/format'
import { drawQr, qrSide } from './qr-vector'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin } from './theme'

interface Banner {
  title: string
  details: string[]
  color: string
  background: string
}

const green = { color: '#17663f', background: '#e8f5ee' }
const amber = { color: '#7d5200', background: '#fdf4de' }
const red = { color: '#9b1c2c', background: '#fcecee' }

/** Draws from `y` down; returns where the next block begins. Throws for a status in which no PDF exists. */
export function drawStatus(sheet: Sheet, y: number): number {
  const { document, type: set, invoice } = sheet
  const { title, details, color, background } = bannerOf(invoice)
  const code = invoice.status === InvoiceStatus.ACCEPTED ? invoice.dgiQrCode : undefined
  const side = code ? qrSide(code) : 0
  const box = { x: margin.left + 14, width: contentWidth - 28 - (code ? side + 12 : 0) }
  const heading = { size: 10.5, weight: 'bold', color } as const
  const body = { size: 8.6, color: ink.text } as const
  const titleLines = set.wrap(title, heading, box.width)
  const detailLines = details.flatMap((detail) => set.wrap(detail, body, box.width))
  const textHeight = titleLines.length * 13.9 + detailLines.length * 11.4 + 3
  const height = Math.max(textHeight + 14, code ? side + 12 : 0)

  sheet.panel({ x: margin.left, y, width: contentWidth, height }, background)
  document.rect(margin.left, y, 3.5, height).fill(color)
  const top = y + (height - textHeight) / 2
  const below = set.drawLines(titleLines, heading, { ...box, y: top, align: 'left' })
  set.drawLines(detailLines, body, { ...box, y: below + 2, align: 'left' })
  if (code) drawQr(document, code, { x: contentRight - side - 6, y: y + (height - side) / 2 })
  return y + height + 14
}

function bannerOf(invoice: Invoice): Banner {
  switch (invoice.status) {
    case InvoiceStatus.ACCEPTED:
      return { title: 'Facture validée par la DGI', details: acceptance(invoice), ...green }
    case InvoiceStatus.REJECTED:
      return { title: 'Facture rejetée par la DGI', details: rejection(invoice), ...red }
    case InvoiceStatus.FAILED:
      return { title: 'Transmission à la DGI en échec', details: rejection(invoice), ...red }
    case InvoiceStatus.SIGNED:
    case InvoiceStatus.TRANSMITTED:
      return { title: 'En attente de validation par la DGI', details: waiting(invoice), ...amber }
    default:
      throw new Error(`no PDF exists of an invoice that is ${invoice.status}`)
  }
}

function acceptance({ dgiReference, dgiValidatedAt }: Invoice): string[] {
  return present([
    dgiReference && `Référence : ${dgiReference}`,
    dgiValidatedAt && `Validée le ${frenchTimestamp(dgiValidatedAt)}`,
    'Scannez le code QR pour vérifier cette facture auprès de l’administration fiscale.',
  ])
}

function rejection({ dgiErrorCode, dgiErrorMessage, dgiRejectedAt }: Invoice): string[] {
  return present([
    dgiErrorCode && `Code : ${dgiErrorCode}`,
    dgiErrorMessage && `Motif : ${dgiErrorMessage}`,
    dgiRejectedAt && `Rejetée le ${frenchTimestamp(dgiRejectedAt)}`,
    'Ce document n’a pas été validé par l’administration fiscale.',
  ])
}

function waiting({ signedAt, dgiSubmittedAt }: Invoice): string[] {
  return present([
    dgiSubmittedAt
      ? `Transmise le ${frenchTimestamp(dgiSubmittedAt)}`
      : signedAt && `Signée le ${frenchTimestamp(signedAt)}`,
    'La référence et le code QR figureront ici dès la validation.',
  ])
}

function present(sentences: (string | undefined)[]): string[] {
  return sentences.filter((sentence): sentence is string => Boolean(sentence))
}
