import { isNeverSent } from '@einvoicing/domain/creditable'
import { isAtLeast } from '@einvoicing/domain/signature-level'
import type { Report } from '@einvoicing/verification/verify/report'
import type { Credit, Invoice } from '@einvoicing/proto/invoice'
import type { Environment } from '@einvoicing/domain/environment'
import { subtractCredits, sumCredits } from '../invoices/present-amounts'

export interface ShownDocument {
  invoice: Invoice
  /** Of the best proof; `undefined` when it could not be verified now. */
  report: Report | undefined
  environment: Environment
  now: Date
  url: string | null
  token: string
}

export type Decision = 'accepted' | 'waiting' | 'rejected' | 'failed' | 'notSent'

export function findDecision(document: Pick<Invoice, 'status' | 'dgiErrorCode'>): Decision {
  if (isNeverSent(document)) return 'notSent'
  const { status } = document
  if (status === 'ACCEPTED') return 'accepted'
  if (status === 'REJECTED') return 'rejected'
  return status === 'FAILED' ? 'failed' : 'waiting'
}

type Creditable = Pick<Invoice, 'credits' | 'vatSubtotals'>

/** In whole only by credit notes that were accepted: others may still be rejected. */
export function findCredited(invoice: Creditable): 'whole' | 'part' | undefined {
  const items = invoice.credits?.items ?? []
  if (items.length === 0) return undefined
  const accepted = items.filter(({ status }) => status === 'ACCEPTED')
  return isWhollyTaken(invoice, accepted) ? 'whole' : 'part'
}

/** In minor units, including VAT: parts may round to a cent more or less than their whole. */
export function computeRemaining(invoice: Creditable & Pick<Invoice, 'amountTtc'>): number {
  const items = invoice.credits?.items ?? []
  if (isWhollyTaken(invoice, items)) return 0
  return Math.max(0, invoice.amountTtc - sumCredits(items))
}

function isWhollyTaken(invoice: Creditable, items: readonly Credit[]): boolean {
  return subtractCredits(invoice, items).every((left) => left <= 0)
}

export function hasProof({ signatureLevel }: Invoice): boolean {
  return signatureLevel !== undefined && isAtLeast(signatureLevel, 'T')
}

/** A time stamp comes within minutes; where no authority is set, never. */
export function isProofExpected({ signedAt }: Pick<Invoice, 'signedAt'>, now: Date): boolean {
  return signedAt !== undefined && now.getTime() - Date.parse(signedAt) < expectedWithinMs
}

const expectedWithinMs = 3_600_000
