import type { InvoiceLine } from '@einvoicing/proto/invoice'
import { leading } from '../text/typesetter'
import type { Line } from '../text/wrap'
import { cellPadding, planColumns, titleStyle, type Columns } from './columns'
import { printedPeriod } from './references'
import type { Sheet } from './sheet'
import { contentBottom, contentWidth, ink, margin, type } from './theme'

const cell = { ...type.body, size: 8.4 } as const
const note = { ...type.small, size: 7.2 } as const
const titlesHeight = 18
const rowPadding = 3.5
const lineHeight = cell.size * leading

/** Only a row taller than a page is divided. Returns where the table ends. */
export function drawLinesTable(sheet: Sheet, y: number): number {
  const columns = planColumns(sheet.invoice, sheet.type, cell)
  const rows = sheet.invoice.lines.map((line) => ({ line, texts: layOutRow(sheet, columns, line) }))
  const firstRow = neededHeight(rows[0]?.texts.length ?? 1)
  let below = drawTitles(sheet, columns, sheet.startWithSpace(titlesHeight + firstRow, y))
  for (const row of rows) below = drawRow(sheet, columns, { ...row, y: below })
  return below + 14
}

function drawTitles(sheet: Sheet, { description, numbers }: Columns, y: number): number {
  sheet.panel({ x: margin.left, y, width: contentWidth, height: titlesHeight }, ink.accent)
  for (const { title, x, width, align } of [description, ...numbers]) {
    const inner = { x: x + cellPadding, width: width - 2 * cellPadding }
    sheet.type.fit(title, titleStyle, { ...inner, y: y + 4, align: align ?? 'left' })
  }
  return y + titlesHeight
}

interface RowAt {
  line: InvoiceLine
  texts: RowText[]
  y: number
}

function drawRow(sheet: Sheet, columns: Columns, { line, texts, y }: RowAt): number {
  const { description, numbers } = columns
  const fits = y + neededHeight(texts.length) <= contentBottom
  let top = fits ? y : drawTitles(sheet, columns, sheet.addPage())
  for (const { value, ...column } of numbers.filter(({ title }) => title !== 'Unité')) {
    const inner = { x: column.x + cellPadding, width: column.width - 2 * cellPadding }
    sheet.type.fit(value(line), cell, { ...inner, y: top + rowPadding, align: column.align })
  }
  top += rowPadding
  for (const { left, right } of texts) {
    if (top + lineHeight + rowPadding > contentBottom) {
      top = drawTitles(sheet, columns, sheet.addPage()) + rowPadding
    }
    const inner = { x: description.x + cellPadding, y: top, width: innerWidth(description) }
    if (left) sheet.type.drawLines([left.line], left.style, inner)
    if (right) sheet.type.drawLines([right], cell, { ...unitBox(columns), y: top })
    top += lineHeight
  }
  sheet.rule(top + rowPadding)
  return top + rowPadding + 0.6
}

interface RowText {
  left?: { line: Line; style: typeof cell | typeof note }
  right?: Line
}

function layOutRow({ type: set }: Sheet, columns: Columns, line: InvoiceLine): RowText[] {
  const width = innerWidth(columns.description)
  const left = set
    .wrap(line.description, cell, width)
    .map((line): RowText['left'] => ({ line, style: cell }))
  const remarks = remarksOn(line).flatMap((text) => set.wrap(text, note, width))
  left.push(...remarks.map((line) => ({ line, style: note })))
  const right = line.unit ? set.wrap(line.unit, cell, unitBox(columns).width) : []
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    ...(left[i] && { left: left[i] }),
    ...(right[i] && { right: right[i] }),
  }))
}

function remarksOn(line: InvoiceLine): string[] {
  const { itemCode, orderLineNumber, servicePeriod, vatExemptionReason } = line
  return [
    itemCode && `Réf. ${itemCode}`,
    orderLineNumber && `Ligne de commande : ${orderLineNumber}`,
    printedPeriod(servicePeriod),
    line.note,
    line.vatRate === 0 && vatExemptionReason,
  ].filter((text): text is string => Boolean(text))
}

function neededHeight(lines: number): number {
  const height = lines * lineHeight + 2 * rowPadding
  const fitsSomePage = height <= contentBottom - margin.top - titlesHeight
  return fitsSomePage ? height : 4 * lineHeight
}

function unitBox({ numbers }: Columns): { x: number; width: number } {
  const unit = numbers.find(({ title }) => title === 'Unité')
  if (!unit) throw new Error('the table has no column for units')
  return { x: unit.x + cellPadding, width: innerWidth(unit) }
}

function innerWidth({ width }: { width: number }): number {
  return width - 2 * cellPadding
}
