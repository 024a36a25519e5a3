import { frenchAmount, frenchVatRate } from '../french/format'
import {
  findVatCategory,
  printedExemptionReason,
  vatCategories,
  vatCategoryCodes,
  type VatCategory,
} from '@einvoicing/profile/vat'
import type { Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import { leading } from '../text/typesetter'
import type { Line } from '../text/wrap'
import type { Element } from '../text/tags'
import { titleStyle } from './columns'
import type { Sheet } from './sheet'
import { ink, type } from './theme'

const titlesHeight = 16
const rowHeight = 15
const reasonStyle = type.small

interface Place {
  x: number
  y: number
  width: number
}

/** `reasons` are those below it. */
export function vatTableHeight({ invoice }: Sheet, reasons: readonly Line[]): number {
  const lineHeight = reasonStyle.size * leading
  const noteHeight = reasons.length > 0 ? reasons.length * lineHeight + 6 : 0
  return titlesHeight + invoice.vatSubtotals.length * rowHeight + noteHeight
}

/** Why no VAT is due, for `drawExemptionReasons` in the same width. */
export function wrapExemptionReasons(sheet: Sheet, width: number): Line[] {
  const text = exemptionNote(sheet)
  return text ? sheet.type.wrap(text, reasonStyle, width - 12) : []
}

export function drawExemptionReasons(
  sheet: Sheet,
  reasons: readonly Line[],
  { x, y, width }: Place,
): number {
  return sheet.flow(reasons, reasonStyle, { x: x + 6, y: y + 3, width: width - 12 })
}

/** Returns where its rows end. */
export function drawVatTable(sheet: Sheet, { x, y, width }: Place): number {
  const { type: set, invoice } = sheet
  sheet.panel({ x, y, width, height: titlesHeight }, ink.accent)
  const table = set.tags.add('Table')
  drawCells(sheet, ['Taux TVA', 'Base HT', 'Montant TVA'], {
    cells: addRow(sheet, table, 'TH'),
    place: { x, y: y + 3.2, width },
    style: titleStyle,
  })
  let top = y + titlesHeight
  for (const subtotal of invoice.vatSubtotals) {
    const { taxableAmount, vatAmount } = subtotal
    const amounts = [taxableAmount, vatAmount].map((amount) =>
      frenchAmount(amount, invoice.currency),
    )
    drawCells(sheet, [frenchVatRate(subtotal), ...amounts], {
      cells: addRow(sheet, table, 'TD'),
      place: { x, y: top + 2, width },
      style: type.body,
    })
    top += rowHeight
    const line = top - 0.6
    sheet.decorate((document) => document.rect(x, line, width, 0.6).fill(ink.rule))
  }
  return top
}

function addRow({ type: { tags } }: Sheet, table: Element, type: 'TH' | 'TD'): Element[] {
  const row = tags.add('TR', table)
  return Array.from({ length: 3 }, () => tags.add(type, row))
}

interface CellsAt {
  cells: Element[]
  place: Place
  style: { size: number; weight?: 'bold'; color: string }
}

function drawCells({ type: set }: Sheet, texts: string[], { cells, place, style }: CellsAt): void {
  const { x, y, width } = place
  const rate = 52
  const amount = (width - rate) / 2
  const starts = [x, x + rate, x + rate + amount]
  texts.forEach((text, i) => {
    const box = { x: (starts[i] ?? x) + 6, y, width: (i === 0 ? rate : amount) - 12 }
    set.tags.into(cells[i], () =>
      set.fit(text, style, { ...box, align: i === 0 ? 'left' : 'right' }),
    )
  })
}

export function findMixedCategories({ lines }: Invoice): Set<VatCategory> {
  return new Set(vatCategoryCodes.filter((each) => exemptionReasons(lines, each).size > 1))
}

export function findExemptionReason(line: InvoiceLine): string {
  const category = findVatCategory(line)
  const byDefault = category === 'E' ? printedExemptionReason : vatCategories[category].exemption
  return line.vatExemptionReason || (byDefault ?? '')
}

function exemptionNote({ invoice }: Sheet): string {
  return invoice.vatSubtotals
    .flatMap((subtotal) => {
      const category = findVatCategory(subtotal)
      const [only, ...others] = exemptionReasons(invoice.lines, category)
      if (category === 'S' || only === undefined) return []
      const reason = others.length === 0 ? only : 'motifs indiqués sur les lignes'
      return [`${frenchVatRate(subtotal)} : ${reason}`]
    })
    .join('\n')
}

function exemptionReasons(lines: readonly InvoiceLine[], category: VatCategory): Set<string> {
  const exempt = lines.filter((line) => findVatCategory(line) === category)
  return new Set(exempt.map(findExemptionReason))
}
