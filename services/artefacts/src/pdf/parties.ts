import { frenchDate } from '../french/format'
import { frenchPaymentMethod } from '@einvoicing/profile/payment-methods'
import { texts } from '@einvoicing/profile/texts'
import { printedPreceding, printedReferences } from './references'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin, type } from './theme'

const termsWidth = 206
const buyerWidth = contentWidth - termsWidth - 16
const padding = 10

export function drawParties(sheet: Sheet, y: number): number {
  return Math.max(drawBuyer(sheet, y), drawTerms(sheet, y)) + 14
}

function drawBuyer(sheet: Sheet, y: number): number {
  const { type: set, invoice, kind } = sheet
  const box = { x: margin.left + padding, width: buyerWidth - 2 * padding }
  let below = y + padding - 2
  set.fit(kind.french.billedTo, type.label, { ...box, y: below })
  below += 12
  const name = { size: 10.5, weight: 'bold', color: ink.text } as const
  below = set.text(invoice.buyerName || texts.consumer, name, { ...box, y: below }) + 1
  if (invoice.buyerAddress) {
    below = set.text(invoice.buyerAddress, type.body, { ...box, y: below })
  }
  const place = [invoice.buyerCity, invoice.buyerCountry].filter(Boolean).join(', ')
  if (place) below = set.text(place, type.body, { ...box, y: below })
  for (const [label, identifier] of [
    ['ICE', invoice.buyerIce],
    ['IF', invoice.buyerIf],
  ]) {
    if (identifier)
      below = set.text(`${label} : ${identifier}`, type.strong, { ...box, y: below + 2 })
  }
  below += padding - 3
  const height = below - y
  sheet.decorate((document) =>
    document.roundedRect(margin.left, y, buyerWidth, height, 3).lineWidth(0.7).stroke(ink.rule),
  )
  return below
}

function drawTerms({ type: set, invoice, kind }: Sheet, y: number): number {
  const x = contentRight - termsWidth
  let below = y + 3
  for (const [label, value] of readTerms()) {
    set.fit(label, { ...type.body, color: ink.muted }, { x, y: below, width: 92 })
    below = set.text(value, type.strong, {
      x: x + 92,
      y: below,
      width: termsWidth - 92,
      align: 'right',
    })
    below += 4
  }
  return below

  function readTerms(): [string, string][] {
    const due = invoice.dueDate ? frenchDate(invoice.dueDate) : texts.noDueDate
    return [
      ['Date d’émission', frenchDate(invoice.invoiceDate)],
      ...(kind.isPaid ? [['Date d’échéance', due] satisfies [string, string]] : []),
      ...printedPreceding(invoice, kind),
      ...printedReferences(invoice),
      ['Mode de règlement', frenchPaymentMethod(invoice.paymentMethod)],
      ['Devise', invoice.currency],
    ]
  }
}
