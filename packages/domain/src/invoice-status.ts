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

/** By the tax authority. */
export function isDecided(status: string): boolean {
  return status === 'ACCEPTED' || status === 'REJECTED'
}
