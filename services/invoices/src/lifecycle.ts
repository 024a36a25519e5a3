import type { Invoice, InvoiceStatus } from '@einvoicing/proto/invoice'
import { invoiceNotEditable, invoiceNotResubmittable } from '@einvoicing/domain/invoice-errors'

export const steps = [
  'edit',
  'cancel',
  'sign',
  'transmit',
  'accept',
  'reject',
  'fail',
  'resubmit',
] as const

export type Step = (typeof steps)[number]

export type Status = Exclude<InvoiceStatus, 'INVOICE_STATUS_UNSPECIFIED'>

export const table: Record<Status, Partial<Record<Step, Status>>> = {
  PENDING: { edit: 'PENDING', cancel: 'CANCELLED', sign: 'SIGNED' },
  SIGNED: { transmit: 'TRANSMITTED', fail: 'FAILED' },
  TRANSMITTED: { accept: 'ACCEPTED', reject: 'REJECTED', fail: 'FAILED' },
  ACCEPTED: {},
  REJECTED: {},
  // A late decision wins: the store must agree with the authority.
  FAILED: { resubmit: 'SIGNED', accept: 'ACCEPTED', reject: 'REJECTED' },
  CANCELLED: {},
}

export function next(status: InvoiceStatus, step: Step): Status | undefined {
  return status === 'INVOICE_STATUS_UNSPECIFIED' ? undefined : table[status][step]
}

type Document = Pick<Invoice, 'status' | 'type' | 'dgiErrorCode'>

export function advance(document: Document, step: Step): Status {
  const to = next(document.status, step)
  if (to) return to
  if (step === 'resubmit') throw invoiceNotResubmittable(document.status)
  throw invoiceNotEditable(document)
}
