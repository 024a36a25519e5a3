import { frenchDate } from '../french/format'
import { frenchPaymentMethod } from '@einvoicing/profile/payment-methods'
import { texts } from '@einvoicing/profile/texts'
import { limitParagraphs } from '../text/characters'
import { leading, type Style } from '../text/typesetter'
import type { Line } from '../text/wrap'
import { printedPreceding, printedReferences } from './references'
import type { Sheet } from './sheet'
import { measureStatus } from './status'
import { contentBottom, contentRight, contentWidth, ink, margin, page, type } from './theme'

const termsWidth = 206
const labelWidth = 92
const valueWidth = termsWidth - labelWidth
const buyerWidth = contentWidth - termsWidth - 16
const padding = 10
const partiesGap = 14

interface Term {
  label: string
  value: string
  lines: Line[]
  isReference: boolean
}

interface BuyerText {
  text: string
  lines: Line[]
  style: Style
  before: number
  after: number
}

/** Side by side; references for which a column is too short are below, in the whole width. */
export function drawParties(sheet: Sheet, y: number): number {
  const buyer = layOutBuyer(sheet)
  const terms = layOutTerms(sheet)
  const beside = (shown: readonly Term[]) => Math.max(measureBuyer(buyer), measureTerms(shown))
  const below = y + beside(terms) + partiesGap
  // The banner stays on the first page where it can; most often it need not be measured.
  const fits = below <= page.height / 2 || below + measureStatus(sheet) <= contentBottom
  if (fits) return drawBeside(sheet, { buyer, terms, y }) + partiesGap

  const few = terms.filter(({ isReference }) => !isReference)
  if (sheet.fitsOnPage(beside(few))) {
    const top = sheet.startWithSpace(beside(few), y)
    const wideTop = drawBeside(sheet, { buyer, terms: few, y: top }) + partiesGap
    const references = terms.filter(({ isReference }) => isReference)
    return drawWide(sheet, references, wideTop)
  }
  const who = buyer.map(({ text }) => ({ label: sheet.kind.french.billedTo, value: text }))
  return drawWide(sheet, [...who, ...terms], y)
}

interface Beside {
  buyer: readonly BuyerText[]
  terms: readonly Term[]
  y: number
}

function drawBeside(sheet: Sheet, { buyer, terms, y }: Beside): number {
  return Math.max(drawBuyer(sheet, buyer, y), drawTerms(sheet, terms, y))
}

function layOutBuyer({ type: set, invoice }: Sheet): BuyerText[] {
  const name = { size: 10.5, weight: 'bold', color: ink.text } as const
  const identifiers = [
    ['ICE', invoice.buyerIce],
    ['IF', invoice.buyerIf],
  ].map(([label, value]) => ({
    text: value && `${label} : ${value}`,
    style: type.strong,
    before: 2,
  }))
  const place = [invoice.buyerCity, invoice.buyerCountry].filter(Boolean).join(', ')
  return [
    { text: invoice.buyerName || texts.consumer, style: name, after: 1 },
    { text: invoice.buyerAddress, style: type.body },
    { text: place, style: type.body },
    ...identifiers,
  ].flatMap(({ text, style, ...gaps }) => {
    if (!text) return []
    const lines = set.wrap(text, style, buyerWidth - 2 * padding)
    return [{ before: 0, after: 0, ...gaps, text, style, lines }]
  })
}

function measureBuyer(texts: readonly BuyerText[]): number {
  const heights = texts.map(({ lines, style, before, after }) => {
    return before + lines.length * style.size * leading + after
  })
  return heights.reduce((sum, height) => sum + height, 2 * padding + 7)
}

function drawBuyer(sheet: Sheet, texts: readonly BuyerText[], y: number): number {
  const { type: set, kind } = sheet
  const box = { x: margin.left + padding, width: buyerWidth - 2 * padding }
  let below = y + padding - 2
  set.fit(kind.french.billedTo, type.label, { ...box, y: below })
  below += 12
  for (const { lines, style, before, after } of texts) {
    below = set.drawLines(lines, style, { ...box, y: below + before }) + after
  }
  below += padding - 3
  const height = below - y
  sheet.decorate((document) =>
    document.roundedRect(margin.left, y, buyerWidth, height, 3).lineWidth(0.7).stroke(ink.rule),
  )
  return below
}

function layOutTerms({ type: set, invoice, kind }: Sheet): Term[] {
  const noDate = invoice.paymentTerms ? undefined : texts.noDueDate
  const due = invoice.dueDate ? frenchDate(invoice.dueDate) : noDate
  const term = (label: string, value: string, isReference = false): Term => {
    return { label, value, isReference, lines: set.wrap(value, type.strong, valueWidth) }
  }
  const references = [...printedPreceding(invoice, kind), ...printedReferences(invoice)]
  return [
    term('Date d’émission', frenchDate(invoice.invoiceDate)),
    ...(kind.isPaid && due ? [term('Date d’échéance', due)] : []),
    ...references.map(([label, value]) => term(label, value, true)),
    term('Mode de règlement', frenchPaymentMethod(invoice.paymentMethod)),
    term('Devise', invoice.currency),
  ]
}

const termGap = 4
const labelStyle = { ...type.body, color: ink.muted } as const

function measureTerms(terms: readonly Term[]): number {
  const line = type.strong.size * leading
  return terms.reduce((sum, { lines }) => sum + lines.length * line + termGap, 3)
}

function drawTerms({ type: set }: Sheet, terms: readonly Term[], y: number): number {
  const x = contentRight - termsWidth
  let below = y + 3
  for (const { label, lines } of terms) {
    set.fit(label, labelStyle, { x, y: below, width: labelWidth })
    const box = { x: x + labelWidth, y: below, width: valueWidth, align: 'right' } as const
    below = set.drawLines(lines, type.strong, box) + termGap
  }
  return below
}

/** A label once, and its values one after another, without the line ends of a narrow column. */
function drawWide(
  sheet: Sheet,
  terms: readonly Pick<Term, 'label' | 'value'>[],
  y: number,
): number {
  const { type: set } = sheet
  const x = margin.left + labelWidth + padding
  const width = contentRight - x
  const rows = new Map<string, string[]>()
  for (const { label, value } of terms) {
    const lines = rows.get(label) ?? []
    const text = limitParagraphs(value, 1)
    const longer = `${lines.at(-1)}  ·  ${text}`
    if (lines.length > 0 && set.width(longer, type.strong) <= width) lines.splice(-1, 1, longer)
    else lines.push(text)
    rows.set(label, lines)
  }
  let below = y
  for (const [label, texts] of rows) {
    const lines = texts.flatMap((text) => set.wrap(text, type.strong, width))
    below = sheet.startWithSpace(type.strong.size * leading, below)
    set.fit(label, labelStyle, { x: margin.left, y: below, width: labelWidth })
    below = sheet.flow(lines, type.strong, { x, y: below, width, align: 'left' }) + termGap
  }
  return below === y ? y : below + partiesGap - termGap
}
