import type { InvoiceLine } from '@einvoicing/proto/invoice'
import { findVatCategory, type VatCategory } from '@einvoicing/profile/vat'
import { frenchAmount } from '../french/format'
import { isPlain, limitParagraphs } from '../text/characters'
import { leading, type Style } from '../text/typesetter'
import type { Line } from '../text/wrap'
import type { Element } from '../text/tags'
import { cellPadding, inOrder, planColumns, titleStyle, type Column, type Columns } from './columns'
import { printedPeriod } from './references'
import type { Sheet } from './sheet'
import { contentBottom, contentRight, contentWidth, ink, margin, type } from './theme'
import { listAdjustments } from './total-rows'
import { findExemptionReason, findMixedCategories } from './vat-table'

const cell = { ...type.body, size: 8.4 } as const
const note = { ...type.small, size: 7.2 } as const
const titlesHeight = 18
const rowPadding = 3.5
const lineHeight = cell.size * leading
const carryHeight = lineHeight + 2 * rowPadding
// Of all rows: line ends alone would fill thousands of pages (decision 0144).
const paragraphsMax = 10_000

/** Only a row taller than a page is divided. Returns where the table ends. */
export function drawLinesTable(sheet: Sheet, y: number): number {
  const columns = planColumns(sheet.invoice, sheet.type, cell)
  const { lines } = sheet.invoice
  const mixed = findMixedCategories(sheet.invoice)
  const rowParagraphsMax = Math.max(1, Math.floor(paragraphsMax / lines.length))
  const rows = lines.map((line) => ({
    line,
    texts: layOutRow(sheet, columns, { line, mixed, rowParagraphsMax }),
  }))
  const firstRow = neededHeight(rows[0]?.texts.length ?? 1) + (rows.length > 1 ? carryHeight : 0)
  const top = sheet.startWithSpace(titlesHeight + firstRow, y)
  const { tags } = sheet.type
  return tags.into(tags.add('Table'), () => {
    let below = drawTitles(sheet, columns, { y: top, cells: addRow(sheet, columns, 'TH') })
    let carried = 0
    rows.forEach((row, i) => {
      const isLast = i === rows.length - 1
      below = drawRow(sheet, columns, { ...row, y: below, carried, isLast })
      carried += row.line.amountHt
    })
    return below + 14
  })
}

type Cells = ReadonlyMap<Column, Element>

function addRow({ type: { tags } }: Sheet, columns: Columns, type: 'TH' | 'TD'): Cells {
  const row = tags.add('TR')
  return new Map(inOrder(columns).map((column) => [column, tags.add(type, row)]))
}

function drawTitles(
  sheet: Sheet,
  { description, numbers }: Columns,
  { y, cells }: { y: number; cells?: Cells },
): number {
  const { type: set } = sheet
  sheet.panel({ x: margin.left, y, width: contentWidth, height: titlesHeight }, ink.accent)
  for (const column of [description, ...numbers]) {
    const { title, x, width, align } = column
    const inner = { x: x + cellPadding, width: width - 2 * cellPadding }
    const box = { ...inner, y: y + 4, align: align ?? 'left' }
    set.tags.into(cells?.get(column), () => set.fit(title, titleStyle, box))
  }
  return y + titlesHeight
}

interface RowAt {
  line: InvoiceLine
  texts: RowText[]
  y: number
  /** The sum of the rows above. */
  carried: number
  isLast: boolean
}

function drawRow(
  sheet: Sheet,
  columns: Columns,
  { line, texts, y, carried, isLast }: RowAt,
): number {
  const { description, numbers } = columns
  const endsHere = isLast && y + rowHeight(texts.length) <= contentBottom
  const reserve = endsHere ? 0 : carryHeight
  const fits = y + neededHeight(texts.length) + reserve <= contentBottom
  let top = fits ? y : continueOnNewPage(sheet, columns, { y, carried })
  const { tags } = sheet.type
  const cells = addRow(sheet, columns, 'TD')
  const unit = findUnit(columns)
  for (const column of numbers) {
    if (column === unit) continue
    const inner = { x: column.x + cellPadding, width: innerWidth(column) }
    const box = { ...inner, y: top + rowPadding, align: column.align }
    tags.into(cells.get(column), () => sheet.type.fit(column.value(line), cell, box))
  }
  top += rowPadding
  for (const { left, right } of texts) {
    if (top + lineHeight + rowPadding + reserve > contentBottom) {
      const withThisRow = { y: top, carried: carried + line.amountHt }
      top = continueOnNewPage(sheet, columns, withThisRow) + rowPadding
    }
    const inner = { x: description.x + cellPadding, y: top, width: innerWidth(description) }
    const unitInner = { ...unitBox(unit), y: top }
    if (left) {
      tags.into(cells.get(description), () => sheet.type.drawLines([left.line], left.style, inner))
    }
    if (right) tags.into(cells.get(unit), () => sheet.type.drawLines([right], cell, unitInner))
    top += lineHeight
  }
  sheet.rule(top + rowPadding)
  return top + rowPadding + 0.6
}

interface Carry {
  y: number
  carried: number
}

/** The sum is at the foot of a page and at the head of the next one. */
function continueOnNewPage(sheet: Sheet, columns: Columns, { y, carried }: Carry): number {
  const { tags } = sheet.type
  tags.artifact(() => drawCarry(sheet, 'À reporter', { y, carried }), 'Pagination')
  const top = sheet.addPage()
  const below = top + titlesHeight
  tags.artifact(() => {
    drawTitles(sheet, columns, { y: top })
    drawCarry(sheet, 'Report', { y: below, carried })
    sheet.rule(below + carryHeight - 0.6)
  }, 'Pagination')
  return below + carryHeight
}

function drawCarry({ type: set, invoice }: Sheet, label: string, { y, carried }: Carry): void {
  const amountWidth = 150
  const x = contentRight - amountWidth
  const style = { ...cell, weight: 'bold' } as const
  const box = { y: y + rowPadding, align: 'right' } as const
  set.fit(label, style, { ...box, x: x - 110, width: 106 })
  const amount = frenchAmount(carried, invoice.currency)
  set.fit(amount, style, { ...box, x, width: amountWidth - cellPadding })
}

interface RowText {
  left?: { line: Line; style: typeof cell | typeof note }
  right?: Line
}

interface RowLayout {
  line: InvoiceLine
  mixed: ReadonlySet<VatCategory>
  rowParagraphsMax: number
}

function layOutRow(
  { type: set, invoice: { currency } }: Sheet,
  columns: Columns,
  { line, mixed, rowParagraphsMax }: RowLayout,
): RowText[] {
  let paragraphsLeft = rowParagraphsMax
  const wrap = (text: string, style: Style, width: number): Line[] => {
    const wrapped = set.wrap(limitParagraphs(text, Math.max(1, paragraphsLeft)), style, width)
    paragraphsLeft -= new Set(wrapped.map(({ paragraph }) => paragraph)).size
    return wrapped
  }
  const width = innerWidth(columns.description)
  const left = wrap(line.description, cell, width).map((line): RowText['left'] => {
    return { line, style: cell }
  })
  const remarks = remarksOn(line, currency, mixed).flatMap((text) => wrap(text, note, width))
  left.push(...remarks.map((line) => ({ line, style: note })))
  const right = line.unit ? wrap(line.unit, cell, unitBox(findUnit(columns)).width) : []
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    ...(left[i] && { left: left[i] }),
    ...(right[i] && { right: right[i] }),
  }))
}

function remarksOn(line: InvoiceLine, currency: string, mixed: ReadonlySet<VatCategory>): string[] {
  const { itemCode, orderLineNumber, servicePeriod, vatExemptionReason } = line
  const isMixed = mixed.has(findVatCategory(line))
  return [
    itemCode && `Réf. ${itemCode}`,
    orderLineNumber && `Ligne de commande : ${orderLineNumber}`,
    printedPeriod(servicePeriod),
    ...listAdjustments(line).map(({ text, amount }) => {
      // The mark keeps the amount behind a reason that is written from right to left.
      const label = isPlain(text) ? text : `${text}\u200E`
      return `${label} : ${frenchAmount(amount, currency)}\u00A0${currency}`
    }),
    line.note,
    line.vatRate === 0 && (isMixed ? findExemptionReason(line) : vatExemptionReason),
  ].filter((text): text is string => Boolean(text))
}

function rowHeight(lines: number): number {
  return lines * lineHeight + 2 * rowPadding
}

function neededHeight(lines: number): number {
  const height = rowHeight(lines)
  const fitsSomePage = height <= contentBottom - margin.top - titlesHeight - 2 * carryHeight
  return fitsSomePage ? height : 4 * lineHeight
}

function findUnit({ numbers }: Columns): Column {
  const unit = numbers.find(({ title }) => title === 'Unité')
  if (!unit) throw new Error('the table has no column for units')
  return unit
}

function unitBox(unit: Column): { x: number; width: number } {
  return { x: unit.x + cellPadding, width: innerWidth(unit) }
}

function innerWidth({ width }: { width: number }): number {
  return width - 2 * cellPadding
}
