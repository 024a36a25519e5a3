import { isAtLeast } from '@einvoicing/domain/signature-level'
import type { Report } from '@einvoicing/verification/verify/report'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Environment } from '@einvoicing/domain/environment'

export interface ShownDocument {
  invoice: Invoice
  /** Of the best proof; `undefined` when it could not be verified now. */
  report: Report | undefined
  environment: Environment
  url: string | null
  token: string
}

export type Decision = 'accepted' | 'waiting' | 'rejected' | 'failed'

export function findDecision({ status }: Pick<Invoice, 'status'>): Decision {
  if (status === 'ACCEPTED') return 'accepted'
  if (status === 'REJECTED') return 'rejected'
  return status === 'FAILED' ? 'failed' : 'waiting'
}

/** In minor units, including VAT. */
export function sumCredits({ credits }: Invoice): number {
  return (credits?.items ?? []).reduce((sum, { amountTtc }) => sum + amountTtc, 0)
}

export function hasProof({ signatureLevel }: Invoice): boolean {
  return signatureLevel !== undefined && isAtLeast(signatureLevel, 'T')
}
