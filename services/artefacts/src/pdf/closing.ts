import { amountWords } from '../french/amount-words'
import { frenchAmount, frenchDate, frenchRib } from '../french/format'
import { frenchPaymentMethod } from '@einvoicing/profile/payment-methods'
import { texts } from '@einvoicing/profile/texts'
import { PaymentMethod } from '@einvoicing/proto/invoice'
import { leading } from '../text/typesetter'
import type { Line } from '../text/wrap'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin, type } from './theme'
import { totalRows } from './total-rows'
import {
  drawExemptionReasons,
  drawVatTable,
  vatTableHeight,
  wrapExemptionReasons,
} from './vat-table'

const totalsWidth = 226
const vatWidth = contentWidth - totalsWidth - 20
const sentenceStyle = { size: 9.2, weight: 'bold', color: ink.text } as const
const rowHeight = 18
const labelWidthMax = 136
const stamp = { width: 190, height: 76 } as const
const originalGap = 6
const smallLine = type.small.size * leading
const paymentWidth = contentWidth - stamp.width - 20

/** On one page if it fits. Returns where it ends. */
export function drawClosing(sheet: Sheet, y: number): number {
  const { type: set } = sheet
  const sentence = set.wrap(closingSentence(sheet), sentenceStyle, contentWidth - 24)
  const payment = paymentSentences(sheet).flatMap((text) => set.wrap(text, type.body, paymentWidth))
  const verify = sheet.address === undefined ? '' : `Vérifier ce document : ${sheet.address}`
  const address = verify === '' ? [] : set.wrap(verify, type.small, contentWidth)
  const reasons = wrapExemptionReasons(sheet, vatWidth)
  const amountsHeight = measureAmounts(sheet, reasons)
  const sentenceHeight = measureSentence(sentence)
  const height =
    amountsHeight +
    14 +
    sentenceHeight +
    12 +
    Math.max(payment.length * type.body.size * leading, stamp.height) +
    originalHeight(sheet, address)

  if (!sheet.fitsOnPage(height)) return drawTallClosing(sheet, { sentence, payment, address }, y)
  const top = sheet.startWithSpace(height, y)
  const place = { x: margin.left, width: vatWidth }
  const rowsEnd = drawVatTable(sheet, { ...place, y: top })
  drawExemptionReasons(sheet, reasons, { ...place, y: rowsEnd })
  drawTotals(sheet, top)
  const below = top + amountsHeight + 14
  drawSentence(sheet, sentence, below)
  const bottom = below + sentenceHeight + 12
  drawStampZone(sheet, bottom)
  set.drawLines(payment, type.body, { x: margin.left, y: bottom, width: paymentWidth })
  drawOriginal(sheet, address, top + height - originalHeight(sheet, address))
  return top + height
}

interface ClosingTexts {
  sentence: Line[]
  payment: Line[]
  address: Line[]
}

/** Its parts, each on one page or, as text, continued on the next. */
function drawTallClosing(
  sheet: Sheet,
  { sentence, payment, address }: ClosingTexts,
  y: number,
): number {
  const place = { x: margin.left, width: contentWidth }
  const amountsHeight = measureAmounts(sheet, [])
  const top = sheet.startWithSpace(amountsHeight, y)
  drawVatTable(sheet, { x: margin.left, y: top, width: vatWidth })
  drawTotals(sheet, top)
  const reasons = wrapExemptionReasons(sheet, contentWidth)
  let below = drawExemptionReasons(sheet, reasons, { ...place, y: top + amountsHeight }) + 14
  const sentenceHeight = measureSentence(sentence)
  below = sheet.startWithSpace(sentenceHeight, below)
  drawSentence(sheet, sentence, below)
  below += sentenceHeight + 12
  below = sheet.flow(payment, type.body, { x: margin.left, y: below, width: paymentWidth }) + 12
  below = sheet.startWithSpace(stamp.height, below)
  drawStampZone(sheet, below)
  below = sheet.startWithSpace(originalHeight(sheet, address), below + stamp.height)
  drawOriginal(sheet, address, below)
  return below + originalHeight(sheet, address)
}

function measureAmounts(sheet: Sheet, reasons: readonly Line[]): number {
  const rowCount = totalRows(sheet.invoice).length
  return Math.max(vatTableHeight(sheet, reasons), rowCount * rowHeight + 6)
}

function measureSentence(sentence: readonly Line[]): number {
  return sentence.length * sentenceStyle.size * leading + 14
}

function drawSentence(sheet: Sheet, sentence: readonly Line[], y: number): void {
  const height = measureSentence(sentence)
  sheet.panel({ x: margin.left, y, width: contentWidth, height }, ink.panel)
  sheet.type.drawLines(sentence, sentenceStyle, {
    x: margin.left + 12,
    y: y + 6,
    width: contentWidth - 24,
  })
}

function drawOriginal(sheet: Sheet, address: Line[], y: number): void {
  const { type: set, kind, originalSha256 } = sheet
  const box = { x: margin.left, width: contentWidth }
  let below = y + originalGap
  if (originalSha256 !== undefined) {
    const text = `Original signé joint : ${kind.fileName} — SHA-256 : ${originalSha256}`
    set.fit(text, type.small, { ...box, y: below })
    below += smallLine
  }
  if (address.length > 0) set.drawLines(address, type.small, { ...box, y: below })
}

function originalHeight({ originalSha256 }: Sheet, address: Line[]): number {
  const count = address.length + (originalSha256 === undefined ? 0 : 1)
  return count > 0 ? count * smallLine + originalGap : 0
}

function drawStampZone(sheet: Sheet, y: number): void {
  if (sheet.isVoid) return
  const x = contentRight - stamp.width
  sheet.decorate((document) => {
    document.roundedRect(x, y, stamp.width, stamp.height, 3).lineWidth(0.7).dash(3, { space: 2 })
    document.stroke(ink.rule).undash()
  })
  sheet.type.fit('Cachet et signature', type.label, { x: x + 8, y: y + 6, width: stamp.width - 16 })
}

function drawTotals(sheet: Sheet, y: number): void {
  const { currency } = sheet.invoice
  const x = contentRight - totalsWidth
  const strong = { size: 11, weight: 'bold', color: ink.onAccent } as const
  let top = y
  for (const { label, amount, isMain, isStrong } of totalRows(sheet.invoice)) {
    const text = `${frenchAmount(amount, currency)} ${currency}`
    if (isMain) {
      sheet.panel({ x, y: top, width: totalsWidth, height: rowHeight + 6 }, ink.accent)
      drawTotal(sheet, { label, amount: text, style: strong, x, y: top + 1 })
      top += rowHeight + 6
    } else {
      const style = isStrong ? type.strong : type.body
      drawTotal(sheet, { label, amount: text, style, x, y: top })
      top += rowHeight
    }
  }
}

interface TotalAt {
  label: string
  amount: string
  style: { size: number; weight?: 'bold'; color: string }
  x: number
  y: number
}

function drawTotal({ type: set }: Sheet, { label, amount, style, x, y }: TotalAt): void {
  const labelWidth = Math.min(set.width(label, style) + 4, labelWidthMax)
  set.fit(label, style, { x: x + 10, y: y + 3.5, width: labelWidth })
  const rest = totalsWidth - labelWidth - 20
  set.fit(amount, style, { x: x + labelWidth + 10, y: y + 3.5, width: rest, align: 'right' })
}

function closingSentence({ invoice: { amountTtc, currency }, kind }: Sheet): string {
  return `${kind.french.amountInWords} ${amountWords(amountTtc, currency)}\u00A0TTC.`
}

function paymentSentences(sheet: Sheet): string[] {
  const { invoice, kind } = sheet
  const { note, correctionReason } = invoice
  const reason = correctionReason === undefined ? [] : [`Motif de l’avoir : ${correctionReason}`]
  return [...reason, ...(kind.isPaid ? accountSentences(sheet) : []), ...(note ? [note] : [])]
}

function accountSentences({ invoice, issuer }: Sheet): string[] {
  const noDate = invoice.paymentTerms ? '.' : `. ${texts.noDueDate}.`
  const due = invoice.dueDate ? `, au plus tard le ${frenchDate(invoice.dueDate)}.` : noDate
  const sentences = [`Règlement : ${frenchPaymentMethod(invoice.paymentMethod)}${due}`]
  const { paymentAccount: account } = invoice
  if (account) {
    const number = account.iban
      ? `IBAN : ${account.iban.replace(/.{4}(?=.)/g, '$&\u00A0')}`
      : `RIB : ${frenchRib(account.rib ?? '')}`
    const bic = account.bic ? ` — BIC : ${account.bic}` : ''
    sentences.push(`${number}${bic} — ${account.name ?? issuer.name}`)
  } else if (invoice.paymentMethod === PaymentMethod.BANK_TRANSFER && issuer.rib) {
    sentences.push(`RIB : ${frenchRib(issuer.rib)} — ${issuer.name}`)
  }
  return sentences
}
