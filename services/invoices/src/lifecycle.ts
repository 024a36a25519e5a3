/**
 * The life of an invoice: one table of statuses and steps (specification, section 3.2; design.md,
 * section 5).
 *
 * Refuses every step that is not in it; nothing else in the service decides what may follow what.
 */

import type { InvoiceStatus } from '@einvoicing/proto/invoice'
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

/** The seven statuses of the interface; the wire's zero value is none of them. */
export type Status = Exclude<InvoiceStatus, 'INVOICE_STATUS_UNSPECIFIED'>

export const table: Record<Status, Partial<Record<Step, Status>>> = {
  PENDING: { edit: 'PENDING', cancel: 'CANCELLED', sign: 'SIGNED' },
  SIGNED: { transmit: 'TRANSMITTED', fail: 'FAILED' },
  TRANSMITTED: { accept: 'ACCEPTED', reject: 'REJECTED', fail: 'FAILED' },
  ACCEPTED: {},
  REJECTED: {},
  // A decision that comes after all wins: the books agree with the authority's.
  FAILED: { resubmit: 'SIGNED', accept: 'ACCEPTED', reject: 'REJECTED' },
  CANCELLED: {},
}

/** Where `step` leads from `status`, or `undefined` where it is not allowed. */
export function next(status: InvoiceStatus, step: Step): Status | undefined {
  return status === 'INVOICE_STATUS_UNSPECIFIED' ? undefined : table[status][step]
}

/**
 * Where a step asked for by a client leads; throws the error that names the status it cannot
 * start from.
 */
export function advance(status: InvoiceStatus, step: Step): Status {
  const to = next(status, step)
  if (to) return to
  throw step === 'resubmit' ? invoiceNotResubmittable(status) : invoiceNotEditable(status)
}
