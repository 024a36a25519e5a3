import type { Call } from '@einvoicing/rpc/call'
import type { Invoice, PrecedingInvoice } from '@einvoicing/proto/invoice'
import { commitRecoveredCredit } from '../credit/commit-credit'
import type { Deps } from '../deps'
import { listByNumber, type NumberDeps } from '../number'
import type { Change, InvoiceStore } from '../store/store'

interface RecoverDeps extends Pick<Deps, 'now'> {
  store: Pick<InvoiceStore, 'get' | 'getWithoutLines' | 'list' | 'changeTogether'>
}

/** Booked again, in the commit that restores it. Throws INVOICE_NUMBER_EXISTS. */
export async function recoverCredit(
  deps: RecoverDeps,
  { seen, write }: Change,
  call: Call,
): Promise<'changed' | 'moved'> {
  const invoice = await addReferenceIds(deps, write.invoice)
  const committed = await commitRecoveredCredit(deps, { seen, write: { ...write, invoice } }, call)
  return committed ? 'changed' : 'moved'
}

/** A document names what it refers to by number and date. */
export async function addReferenceIds(deps: NumberDeps, invoice: Invoice): Promise<Invoice> {
  const { precedingInvoices } = invoice
  if (!precedingInvoices) return invoice
  const items = await Promise.all(precedingInvoices.items.map((item) => addId(deps, invoice, item)))
  return { ...invoice, precedingInvoices: { items } }
}

async function addId(
  deps: NumberDeps,
  { organizationId, type }: Invoice,
  item: PrecedingInvoice,
): Promise<PrecedingInvoice> {
  const found = await listByNumber(deps, organizationId, item)
  const held = found.find(
    ({ xmlSha256, invoiceDate }) =>
      // Only a credit note refers to no draft.
      (xmlSha256 !== undefined || type !== 'CREDIT_NOTE') && invoiceDate === item.invoiceDate,
  )
  return held ? { ...item, id: held.id } : item
}
