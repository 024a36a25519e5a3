/** An `invoices` of 0.1 drops unknown fields: with them, make it fail instead. Remove in 0.3. */

import { toMaskPath, type InvoiceField, type LineField } from '@einvoicing/domain/invoice-fields'
import type { InvoiceContent, LineContent } from '@einvoicing/proto/invoice'
import type { CreateInvoiceRequest } from '@einvoicing/proto/invoices'

const formerFields: readonly string[] = [
  'invoiceNumber',
  'invoiceDate',
  'dueDate',
  'currency',
  'paymentMethod',
  'buyerIce',
  'buyerName',
  'buyerAddress',
  'purchaseOrderNumber',
  'lines',
] satisfies InvoiceField[]

const formerLineFields: readonly string[] = [
  'lineNumber',
  'description',
  'quantity',
  'unitPrice',
  'vatRate',
  'unit',
  'vatExemptionReason',
] satisfies LineField[]

export function toRequestContent(
  content: InvoiceContent,
): Pick<CreateInvoiceRequest, 'content' | 'newerContent'> {
  const isFormer =
    Object.keys(content).every((name) => formerFields.includes(name)) &&
    newerLinePaths(content.lines).length === 0
  return isFormer
    ? { content, newerContent: undefined }
    : { content: undefined, newerContent: content }
}

export function newerLinePaths(lines: readonly LineContent[]): string[] {
  const names = new Set<string>()
  for (const line of lines) {
    for (const name in line) if (!formerLineFields.includes(name)) names.add(name)
  }
  return [...names].map((name) => `lines.${toMaskPath(name as InvoiceField)}`)
}
