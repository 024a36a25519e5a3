import { invoiceNotFound } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { invoiceChanged, numberExists } from '@einvoicing/domain/invoice-errors'
import type { InvoiceStore, Write } from './store/store'

const attemptsMax = 20

export interface Target {
  organizationId: string
  invoiceId: string
  /** Read again when the stored invoice is newer. */
  seen?: Invoice
  commit?: InvoiceStore['change']
}

/** Computes the write from the stored invoice; `undefined` leaves it unchanged. */
export type Plan = (seen: Invoice) => Write | undefined | Promise<Write | undefined>

/** Repeated after a concurrent change. Throws INVOICE_NOT_FOUND, INVOICE_NUMBER_EXISTS. */
export async function changeInvoice(
  { store }: Pick<Deps, 'store'>,
  {
    organizationId,
    invoiceId,
    seen: known,
    commit = (...change) => store.change(...change),
  }: Target,
  plan: Plan,
): Promise<Invoice> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const seen = (attempt === 1 && known) || (await store.get(organizationId, invoiceId))
    if (!seen) throw invoiceNotFound()
    const write = await plan(seen)
    if (!write) return seen
    const outcome = await commit(seen, write)
    if (outcome === 'changed') return write.invoice
    if (outcome === 'number-taken') throw numberExists(write.invoice.invoiceNumber)
  }
  throw new Error(`invoice ${invoiceId} changed under ${attemptsMax} attempts`)
}

/** Throws INVOICE_CHANGED unless the draft is still the version that the caller read. */
export function requireVersion(seen: Invoice, readAt = seen.updatedAt): void {
  // The store commits only over the version read here.
  if (readAt !== seen.updatedAt) throw invoiceChanged(seen, readAt)
}

/** Later than the last change, even within one millisecond: `updatedAt` is the version. */
export function changeMoment(now: Date, seen: Invoice): string {
  return new Date(Math.max(now.getTime(), Date.parse(seen.updatedAt) + 1)).toISOString()
}
