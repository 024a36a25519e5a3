import type { InvoiceStatus } from './invoice-status'

const creditableStatuses: readonly string[] = [
  'SIGNED',
  'TRANSMITTED',
  'ACCEPTED',
] satisfies InvoiceStatus[]

export function isCreditable({ status, type }: { status: string; type?: string | undefined }) {
  return creditableStatuses.includes(status) && type !== 'CREDIT_NOTE'
}
