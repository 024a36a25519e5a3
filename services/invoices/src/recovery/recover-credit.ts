/** Booked on its originals again, in the commit that restores it. */

import type { Call } from '@einvoicing/rpc/call'
import type { Invoice, PrecedingInvoice } from '@einvoicing/proto/invoice'
import { commitSignedCredit } from '../credit/commit-credit'
import type { Deps } from '../deps'
import { listByNumber } from '../number'
import type { Change, InvoiceStore } from '../store/store'

interface RecoverDeps extends Pick<Deps, 'now'> {
  store: Pick<InvoiceStore, 'get' | 'getWithoutLines' | 'list' | 'changeTogether'>
}

/** Throws INVOICE_NUMBER_EXISTS. */
export async function recoverCredit(
  deps: RecoverDeps,
  { seen, write }: Change,
  call: Call,
): Promise<'changed' | 'moved'> {
  const { organizationId, precedingInvoices } = write.invoice
  const items = await Promise.all(
    (precedingInvoices?.items ?? []).map((item) => addId(deps, organizationId, item)),
  )
  const invoice: Invoice = { ...write.invoice, precedingInvoices: { items } }
  const committed = await commitSignedCredit(deps, { seen, write: { ...write, invoice } }, call)
  return committed ? 'changed' : 'moved'
}

async function addId(
  deps: RecoverDeps,
  organizationId: string,
  item: PrecedingInvoice,
): Promise<PrecedingInvoice> {
  const found = await listByNumber(deps, organizationId, item)
  const held = found.find(
    ({ xmlSha256, invoiceDate }) => xmlSha256 !== undefined && invoiceDate === item.invoiceDate,
  )
  return held ? { ...item, id: held.id } : item
}
