import type { Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import { frenchAmount, frenchQuantity, frenchUnitPrice, frenchVatRate } from '../french/format'
import type { Align, Style, Typesetter } from '../text/typesetter'
import { contentWidth, margin, type } from './theme'

export interface Column {
  title: string
  align: Align | undefined
  x: number
  width: number
  value: (line: InvoiceLine) => string
}

export const cellPadding = 4

interface ColumnPlan {
  title: string
  align: Align
  min: number
  max: number
  value: (line: InvoiceLine) => string
}

export interface Columns {
  description: Column
  numbers: Column[]
}

export function inOrder({ description, numbers: [first, ...others] }: Columns): Column[] {
  return first ? [first, description, ...others] : [description]
}

export function planColumns(invoice: Invoice, set: Typesetter, style: Style): Columns {
  const plans = planNumberColumns(invoice.currency)
  const widths = plans.map((plan) => measureWidth(plan, invoice, { set, style }))
  const descriptionWidth = contentWidth - widths.reduce((sum, width) => sum + width, 0)
  const columns: Column[] = []
  let x: number = margin.left
  plans.forEach(({ title, align, value }, i) => {
    const width = widths[i] ?? 0
    columns.push({ title, align, value, x, width })
    x += width + (i === 0 ? descriptionWidth : 0)
  })
  const description: Column = {
    title: 'Désignation',
    align: undefined,
    x: margin.left + (widths[0] ?? 0),
    width: descriptionWidth,
    value: (line) => line.description,
  }
  return { description, numbers: columns }
}

function planNumberColumns(currency: string): ColumnPlan[] {
  return [
    { title: 'N°', align: 'left', min: 22, max: 54, value: (l) => String(l.lineNumber) },
    { title: 'Qté', align: 'right', min: 38, max: 84, value: (l) => frenchQuantity(l.quantity) },
    { title: 'Unité', align: 'left', min: 38, max: 62, value: (l) => l.unit ?? '' },
    {
      title: 'PU HT',
      align: 'right',
      min: 56,
      max: 92,
      value: (l) => frenchUnitPrice(l.unitPrice, currency),
    },
    { title: 'TVA', align: 'right', min: 36, max: 36, value: frenchVatRate },
    {
      title: 'Montant HT',
      align: 'right',
      min: 66,
      max: 104,
      value: (l) => frenchAmount(l.amountHt, currency),
    },
  ]
}

function measureWidth(
  { min, max, value }: ColumnPlan,
  { lines }: Invoice,
  { set, style }: { set: Typesetter; style: Style },
): number {
  // Digits are equally wide in our fonts, so the longest text is the widest.
  const longest = lines.map(value).reduce((a, b) => (b.length > a.length ? b : a), '')
  return Math.min(max, Math.max(min, set.width(longest, style) + 2 * cellPadding + 1))
}

export const titleStyle = { ...type.label, size: 7.4, color: '#ffffff' } as const
