import { isAtLeast } from '@einvoicing/domain/signature-level'
import type { Report } from '@einvoicing/verification/verify/report'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Environment } from '@einvoicing/domain/environment'
import { sumCredits } from '../invoices/present-amounts'

export interface ShownDocument {
  invoice: Invoice
  /** Of the best proof; `undefined` when it could not be verified now. */
  report: Report | undefined
  environment: Environment
  url: string | null
  token: string
}

export type Decision = 'accepted' | 'waiting' | 'rejected' | 'failed' | 'notSent'

export function findDecision({
  status,
  dgiErrorCode,
}: Pick<Invoice, 'status' | 'dgiErrorCode'>): Decision {
  if (dgiErrorCode === 'PRECEDING_INVOICE_REJECTED') return 'notSent'
  if (status === 'ACCEPTED') return 'accepted'
  if (status === 'REJECTED') return 'rejected'
  return status === 'FAILED' ? 'failed' : 'waiting'
}

/** In whole only by credit notes that were accepted: others may still be rejected. */
export function findCredited({
  credits,
  amountTtc,
}: Pick<Invoice, 'credits' | 'amountTtc'>): 'whole' | 'part' | undefined {
  const items = credits?.items ?? []
  if (items.length === 0) return undefined
  const accepted = items.filter(({ status }) => status === 'ACCEPTED')
  return sumCredits(accepted) >= amountTtc ? 'whole' : 'part'
}

export function hasProof({ signatureLevel }: Invoice): boolean {
  return signatureLevel !== undefined && isAtLeast(signatureLevel, 'T')
}
