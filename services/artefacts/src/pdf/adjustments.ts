import { frenchAmount } from '../french/format'
import { leading } from '../text/typesetter'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, margin, type } from './theme'
import { listAdjustments, type Adjustment } from './total-rows'

const padding = 4
const amountWidth = 110
const textWidth = contentWidth - amountWidth - 2 * padding

export function drawAdjustments(sheet: Sheet, y: number): number {
  const items = listAdjustments(sheet.invoice)
  const below = items.reduce((top, item) => drawRow(sheet, item, top), y)
  return items.length === 0 ? y : below + 6
}

function drawRow(sheet: Sheet, { text, amount }: Adjustment, y: number): number {
  const { type: set, invoice } = sheet
  const lines = set.wrap(text, type.body, textWidth)
  const height = lines.length * type.body.size * leading + 6
  const isTall = !sheet.fitsOnPage(height)
  const top = sheet.startWithSpace(isTall ? type.body.size * leading : height, y)
  const drawAmount = () =>
    set.fit(frenchAmount(amount, invoice.currency), type.body, {
      x: contentRight - amountWidth,
      y: top,
      width: amountWidth - padding,
      align: 'right',
    })
  // On the page on which the text begins.
  if (isTall) drawAmount()
  const box = { x: margin.left + padding, y: top, width: textWidth }
  const below = sheet.flow(lines, type.body, box) + 6
  if (!isTall) drawAmount()
  return below
}
