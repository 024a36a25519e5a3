/** To whom the invoice goes, beside its dates and how it is paid. */

import { frenchDate } from '../french/format'
import { consumer, paymentWords } from '../french/wording'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin, type } from './theme'

const factsWidth = 206
const buyerWidth = contentWidth - factsWidth - 16
const padding = 10

/** Draws from `y` down; returns where the next block begins. */
export function drawParties(sheet: Sheet, y: number): number {
  return Math.max(drawBuyer(sheet, y), drawFacts(sheet, y)) + 14
}

function drawBuyer({ document, type: set, invoice }: Sheet, y: number): number {
  const box = { x: margin.left + padding, width: buyerWidth - 2 * padding }
  let below = y + padding - 2
  set.fit('FACTURÉ À', type.label, { ...box, y: below })
  below += 12
  const name = { size: 10.5, weight: 'bold', color: ink.text } as const
  below = set.text(invoice.buyerName || consumer, name, { ...box, y: below }) + 1
  if (invoice.buyerAddress) {
    below = set.text(invoice.buyerAddress, type.body, { ...box, y: below })
  }
  if (invoice.buyerIce)
    below = set.text(`ICE : ${invoice.buyerIce}`, type.strong, { ...box, y: below + 2 })
  below += padding - 3
  document
    .roundedRect(margin.left, y, buyerWidth, below - y, 3)
    .lineWidth(0.7)
    .stroke(ink.rule)
  return below
}

function drawFacts({ type: set, invoice }: Sheet, y: number): number {
  const x = contentRight - factsWidth
  let below = y + 3
  for (const [label, value] of facts()) {
    set.fit(label, { ...type.body, color: ink.muted }, { x, y: below, width: 92 })
    below = set.text(value, type.strong, {
      x: x + 92,
      y: below,
      width: factsWidth - 92,
      align: 'right',
    })
    below += 4
  }
  return below

  function facts(): [string, string][] {
    const due = invoice.dueDate ? frenchDate(invoice.dueDate) : 'À réception'
    return [
      ['Date d’émission', frenchDate(invoice.invoiceDate)],
      ['Date d’échéance', due],
      ['Mode de règlement', paymentWords[invoice.paymentMethod]],
      ['Devise', invoice.currency],
    ]
  }
}
