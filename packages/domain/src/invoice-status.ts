export const invoiceStatuses = [
  'PENDING',
  'SIGNED',
  'TRANSMITTED',
  'ACCEPTED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
] as const

export type InvoiceStatus = (typeof invoiceStatuses)[number]
