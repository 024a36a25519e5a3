/** PUT: only the given fields of a PENDING invoice change (specification, section 4.5). */

import { organizationOf } from '@einvoicing/kernel/caller'
import type { Call } from '@einvoicing/kernel/rpc'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import { editedInvoice } from './content'
import type { Deps } from './deps'
import { advance } from './lifecycle'

/** INVOICE_NOT_FOUND, INVOICE_NOT_EDITABLE, VALIDATION_ERROR, INVOICE_NUMBER_EXISTS. */
export async function updateInvoice(
  deps: Deps,
  request: UpdateInvoiceRequest,
  { caller }: Call,
): Promise<Invoice> {
  const target = { organizationId: organizationOf(caller), invoiceId: request.invoiceId }
  return changeInvoice(deps, target, (seen) => {
    advance(seen.status, 'edit')
    const at = changeMoment(deps.now(), seen)
    const invoice = editedInvoice(seen, request, at)
    const audit = auditEntry('invoice.updated', { at, actor: caller.actor, invoiceId: seen.id })
    return { invoice, audit }
  })
}
