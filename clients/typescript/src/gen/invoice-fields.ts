/** Made from packages/domain/src/invoice-fields.ts: `npm run generate`. */

export const invoiceFieldNames = [
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
] as const

export const lineFieldNames = [
  'lineNumber',
  'description',
  'quantity',
  'unitPrice',
  'vatRate',
  'unit',
  'vatExemptionReason',
] as const
