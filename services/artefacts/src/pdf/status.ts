/**
 * What the tax authority has said of the invoice so far; once it accepted, its reference and its QR
 * code.
 */

import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { frenchTimestamp } from '../french/format'
import { qrMatrix } from '../qr/matrix'
import { leading, type Style } from '../text/typesetter'
import type { Line } from '../text/wrap'
import { drawQr, qrSide } from './qr-vector'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin } from './theme'

interface Banner {
  title: string
  /** What to look for first, after the title. */
  key: string | undefined
  details: (string | undefined)[]
  color: string
  background: string
}

const green = { color: '#17663f', background: '#e8f5ee' }
const amber = { color: '#7d5200', background: '#fdf4de' }
const red = { color: '#9b1c2c', background: '#fcecee' }

const padding = { side: 14, top: 7 }
const qrGap = 6

/**
 * Draws from `y` down; returns where the next block begins. Throws for a status in which no PDF
 * exists.
 */
export function drawStatus(sheet: Sheet, y: number): number {
  const { document, type: set, invoice } = sheet
  const banner = bannerOf(invoice)
  const isAccepted = invoice.status === InvoiceStatus.ACCEPTED
  const matrix = isAccepted && invoice.dgiQrCode ? qrMatrix(invoice.dgiQrCode) : undefined
  const side = matrix ? qrSide(matrix) : 0
  const box = { x: margin.left + padding.side, width: contentWidth - 2 * padding.side - side }
  const texts = bannerTexts(banner).map(({ text, style }) => {
    return { style, lines: set.wrap(text, style, box.width) }
  })
  const textHeight = texts.reduce((sum, text) => sum + heightOf(text), 0)
  const height = Math.max(textHeight + 2 * padding.top, matrix ? side + 2 * qrGap : 0)

  sheet.panel({ x: margin.left, y, width: contentWidth, height }, banner.background)
  document.rect(margin.left, y, 3.5, height).fill(banner.color)
  let below = y + (height - textHeight) / 2
  for (const { lines, style } of texts) {
    below = set.drawLines(lines, style, { ...box, y: below, align: 'left' })
  }
  if (matrix) {
    drawQr(document, matrix, { x: contentRight - side - qrGap, y: y + (height - side) / 2 })
  }
  return y + height + 14
}

function bannerTexts({ title, key, details, color }: Banner): { text: string; style: Style }[] {
  const strong = { size: 9.4, weight: 'bold', color: ink.text } as const
  const body = { size: 8.4, color: ink.text } as const
  return [
    { text: title, style: { size: 10.5, weight: 'bold', color } as const },
    { text: key, style: strong },
    ...details.map((text) => ({ text, style: body })),
  ].filter((entry): entry is { text: string; style: typeof body } => Boolean(entry.text))
}

function heightOf({ lines, style }: { lines: Line[]; style: Style }): number {
  return lines.length * style.size * leading
}

function bannerOf(invoice: Invoice): Banner {
  switch (invoice.status) {
    case InvoiceStatus.ACCEPTED:
      return { title: 'Facture validée par la DGI', ...acceptance(invoice), ...green }
    case InvoiceStatus.REJECTED:
      return { title: 'Facture rejetée par la DGI', ...rejection(invoice), ...red }
    case InvoiceStatus.FAILED:
      return { title: 'Échec de la transmission à la DGI', ...rejection(invoice), ...red }
    case InvoiceStatus.SIGNED:
    case InvoiceStatus.TRANSMITTED:
      return { title: 'En attente de validation par la DGI', ...waiting(invoice), ...amber }
    default:
      throw new Error(`no PDF exists of an invoice that is ${invoice.status}`)
  }
}

type Said = Pick<Banner, 'key' | 'details'>

function acceptance({ dgiReference, dgiQrCode, dgiValidatedAt }: Invoice): Said {
  return {
    key: dgiReference && `Référence : ${dgiReference}`,
    details: [
      dgiValidatedAt && `Validée le ${frenchTimestamp(dgiValidatedAt)}`,
      dgiQrCode &&
        'Le code QR permet de vérifier cette facture auprès de l’administration fiscale.',
    ],
  }
}

function rejection({ dgiErrorCode, dgiErrorMessage, dgiRejectedAt }: Invoice): Said {
  return {
    key: dgiErrorCode && `Code : ${dgiErrorCode}`,
    details: [
      dgiErrorMessage && `Motif : ${dgiErrorMessage}`,
      dgiRejectedAt && `Rejetée le ${frenchTimestamp(dgiRejectedAt)}`,
      'Ce document n’a pas été validé par l’administration fiscale.',
    ],
  }
}

function waiting({ signedAt, dgiSubmittedAt }: Invoice): Said {
  const sent = dgiSubmittedAt && `Transmise le ${frenchTimestamp(dgiSubmittedAt)}`
  const signed = signedAt && `Signée le ${frenchTimestamp(signedAt)}`
  return {
    key: undefined,
    details: [sent ?? signed, 'La référence et le code QR figureront ici dès la validation.'],
  }
}
