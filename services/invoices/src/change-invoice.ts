/**
 * How an existing invoice changes: read, compute, write if it is still what was read; if someone
 * was faster, again from what they left.
 */

import { invoiceNotFound } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { numberExists } from '@einvoicing/domain/invoice-errors'
import type { Write } from './store/store'

const attemptsMax = 20

export interface Target {
  organizationId: string
  invoiceId: string
}

/**
 * Computes the write from the invoice as it stands, or `undefined` to leave it. Throws to refuse.
 */
export type Plan = (seen: Invoice) => Write | undefined | Promise<Write | undefined>

/**
 * The invoice as it stands afterwards. INVOICE_NOT_FOUND, INVOICE_NUMBER_EXISTS, and what `plan`
 * throws.
 */
export async function changeInvoice(
  { store }: Pick<Deps, 'store'>,
  { organizationId, invoiceId }: Target,
  plan: Plan,
): Promise<Invoice> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const seen = await store.get(organizationId, invoiceId)
    if (!seen) throw invoiceNotFound()
    const write = await plan(seen)
    if (!write) return seen
    const outcome = await store.change(seen, write)
    if (outcome === 'changed') return write.invoice
    if (outcome === 'number-taken') throw numberExists(write.invoice.invoiceNumber)
  }
  throw new Error(`invoice ${invoiceId} changed under ${attemptsMax} attempts`)
}

/**
 * The moment of a change, later than the last one even within one millisecond: `updatedAt` is the
 * invoice's version.
 */
export function changeMoment(now: Date, seen: Invoice): string {
  return new Date(Math.max(now.getTime(), Date.parse(seen.updatedAt) + 1)).toISOString()
}
