import { isNeverSent } from '@einvoicing/domain/creditable'
import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { frenchTimestamp } from '../french/format'
import { texts as legalTexts } from '@einvoicing/profile/texts'
import { qrMatrix } from '../qr/matrix'
import { leading, type Style } from '../text/typesetter'
import type { Line } from '../text/wrap'
import { findFailureReason } from './failure-reasons'
import { drawQr, qrSide } from './qr-vector'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin } from './theme'

interface Banner {
  title: string
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
const statusGap = 14

/** Throws for a status without a PDF. */
export function drawStatus(sheet: Sheet, above: number): number {
  const { banner, matrix, side, texts, textHeight, box, height } = layOutStatus(sheet)
  // Only a reason of rejection, which has no code, can be that long.
  if (!sheet.fitsOnPage(height)) {
    const flow = (y: number, { lines, style }: Text) => sheet.flow(lines, style, { ...box, y })
    return texts.reduce(flow, above) + statusGap
  }
  const y = sheet.startWithSpace(height, above)
  sheet.panel({ x: margin.left, y, width: contentWidth, height }, banner.background)
  sheet.decorate((document) => document.rect(margin.left, y, 3.5, height).fill(banner.color))
  let below = y + (height - textHeight) / 2
  for (const { lines, style } of texts) {
    below = sheet.type.drawLines(lines, style, { ...box, y: below, align: 'left' })
  }
  if (matrix) {
    const at = { x: contentRight - side - qrGap, y: y + (height - side) / 2 }
    sheet.decorate((document) => drawQr(document, matrix, at))
  }
  return y + height + statusGap
}

export function measureStatus(sheet: Sheet): number {
  return layOutStatus(sheet).height
}

function layOutStatus(sheet: Sheet) {
  const { type: set, invoice } = sheet
  const banner = toBanner(sheet)
  const isAccepted = invoice.status === InvoiceStatus.ACCEPTED
  const matrix = isAccepted && invoice.dgiQrCode ? qrMatrix(invoice.dgiQrCode) : undefined
  const side = matrix ? qrSide(matrix) : 0
  const box = { x: margin.left + padding.side, width: contentWidth - 2 * padding.side - side }
  const texts = bannerTexts(banner).map(({ text, style }) => {
    return { style, lines: set.wrap(text, style, box.width) }
  })
  const textHeight = texts.reduce((sum, text) => sum + measureHeight(text), 0)
  const height = Math.max(textHeight + 2 * padding.top, matrix ? side + 2 * qrGap : 0)
  return { banner, matrix, side, texts, textHeight, box, height }
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

interface Text {
  lines: Line[]
  style: Style
}

function measureHeight({ lines, style }: Text): number {
  return lines.length * style.size * leading
}

function toBanner({ invoice, kind: { french }, isTest }: Sheet): Banner {
  const titles = isTest ? french.test : french
  const more = isTest ? [legalTexts.noLegalValue] : []
  switch (invoice.status) {
    case InvoiceStatus.ACCEPTED:
      return { title: titles.accepted, ...acceptance(invoice, french, more), ...green }
    case InvoiceStatus.REJECTED:
      return { title: titles.rejected, ...rejection(invoice, french, more), ...red }
    case InvoiceStatus.FAILED: {
      const title = isNeverSent(invoice) ? legalTexts.neverSentTitle : titles.failed
      const explained = { ...invoice, dgiErrorMessage: findFailureReason(invoice) }
      return { title, ...rejection(explained, french, more), ...red }
    }
    case InvoiceStatus.SIGNED:
    case InvoiceStatus.TRANSMITTED:
      return { title: titles.awaiting, ...waiting(invoice, french, more), ...amber }
    case InvoiceStatus.PENDING: {
      const details = [legalTexts.draftHint, ...more]
      return { title: legalTexts.draftTitle, key: undefined, details, ...amber }
    }
    default:
      throw new Error(`an invoice that is ${invoice.status} has no PDF`)
  }
}

type BannerDetails = Pick<Banner, 'key' | 'details'>
type French = DocumentKind['french']

/** A test has no reference of the administration. */
function acceptance(
  { dgiReference, dgiQrCode, dgiValidatedAt }: Invoice,
  { acceptedOn, qrHint }: French,
  inTest: string[],
): BannerDetails {
  const hint = inTest.length > 0 ? inTest : [dgiQrCode && qrHint]
  return {
    key: dgiReference && `Référence : ${dgiReference}`,
    details: [dgiValidatedAt && `${acceptedOn} ${frenchTimestamp(dgiValidatedAt)}`, ...hint],
  }
}

function rejection(
  { dgiErrorCode, dgiErrorMessage, dgiRejectedAt }: Invoice,
  { rejectedOn }: French,
  inTest: string[],
): BannerDetails {
  const hint = inTest.length > 0 ? inTest : [notValidated]
  return {
    key: dgiErrorCode && `Code : ${dgiErrorCode}`,
    details: [
      dgiErrorMessage && `Motif : ${frenchReason(dgiErrorMessage, inTest.length > 0)}`,
      dgiRejectedAt && `${rejectedOn} ${frenchTimestamp(dgiRejectedAt)}`,
      ...hint,
    ],
  }
}

const notValidated = 'Ce document n’a pas été validé par l’administration fiscale.'

/** The simulator answers « French / English (detail). »; any other text is printed whole. */
function frenchReason(message: string, isTest: boolean): string {
  const [french = '', english] = isTest ? message.split(' / ', 2) : [message]
  return english === undefined ? french : `${french}.`
}

function waiting(
  { signedAt, dgiSubmittedAt }: Invoice,
  { submittedOn, signedOn }: French,
  inTest: string[],
): BannerDetails {
  const sent = dgiSubmittedAt && `${submittedOn} ${frenchTimestamp(dgiSubmittedAt)}`
  const signed = signedAt && `${signedOn} ${frenchTimestamp(signedAt)}`
  return {
    key: undefined,
    details: [
      sent ?? signed,
      'La référence et le code QR figureront ici dès la validation.',
      ...inTest,
    ],
  }
}
